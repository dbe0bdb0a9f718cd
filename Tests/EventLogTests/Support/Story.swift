import Base
import PhoneCore

/// An hour at a phone, shortened: calls in both directions, keys, names, media keys that come twice.
enum Story {
    private static let start = Instant(nanoseconds: 5_000_000_000)

    static func events() -> [(at: Instant, event: PhoneEvent)] {
        let events = morning + incoming + dialled + evening
        return events.enumerated().map { (start + .milliseconds(150 * $0.offset), $0.element) }
    }

    private static let first = CallID(.line(AccountID(1)), 1)
    private static let second = CallID(.line(AccountID(1)), 2)

    static func plan(_ key: UInt8) -> NegotiatedMedia {
        NegotiatedMedia(
            remote: MediaAddress(host: Sample.host, port: 50_000),
            codec: .init(sendPayloadType: 111, receivePayloadType: 111, packetMilliseconds: 20, farEndUsesFEC: true),
            telephoneEvents: .init(sendPayloadType: 101, receivePayloadType: 101, clockRate: 48_000),
            protection: .sdes(
                .init(
                    suite: .aes128Tag80, sendKey: SecretBytes(secret(key)), receiveKey: SecretBytes(secret(key &+ 1)))),
            sends: true, receives: true)
    }

    /// Thirty bytes that look like nothing else.
    static func secret(_ key: UInt8) -> [UInt8] { (0..<30).map { 0xA1 ^ key &* 31 ^ $0 &* 7 } }

    private static var morning: [PhoneEvent] {
        [
            .panel(.hookFound(.onHook)), .line(.registration(AccountID(1), .registered)),
            .vault(.remembered(memory)), .network(.path(NetworkPath(.wired, addresses: [Sample.host]))),
            .vault(.contacts([Contact(name: "Grace Hopper", number: Sample.number)])),
        ]
    }

    /// No setting that blocks calls.
    private static var memory: PhoneMemory {
        var memory = Sample.memory
        memory.settings.doNotDisturb = false
        memory.contacts = []
        return memory
    }

    private static var incoming: [PhoneEvent] {
        let caller = Caller(number: Sample.number, displayName: Sample.name, account: AccountID(1), ids: ["acme-9"])
        return [
            .line(.offered(first, caller)),
            .callerInfo(.incoming(CallerInfo(number: "020 7946 1234", name: Sample.name, sent: start))),
            .panel(.hook(.offHook)), .media(.opened(first, Sample.endpoint)),
            .line(.answered(first, plan(1))), .media(.ready(first)), .media(.firstVoice(first)),
            .line(.memo(first, "acme-memo")), .panel(.pressed(.digit(.seven))), .panel(.released(.digit(.seven))),
            .media(.dtmfReceived(first, .nine)), .media(.quality(first, Sample.quality)),
            .line(.offered(second, caller)), .line(.ended(second, .cancelledThere)),
            .request(ActionID(.control, 1), .hold(nil)), .line(.holdSettled(first, plan(1))),
            .request(ActionID(.control, 2), .status), .line(.renegotiated(first, plan(3), heldByFarEnd: true)),
            .deadline, .line(.ended(first, .hungUpThere)), .panel(.hook(.onHook)),
        ]
    }

    private static var dialled: [PhoneEvent] {
        let keys: [DTMFSymbol] = [.zero, .three, .zero, .one, .two, .three, .five, .seven, .eight, .nine, .pound]
        return [.panel(.hook(.offHook))]
            + keys.flatMap { [.panel(.pressed(.digit($0))), .panel(.released(.digit($0)))] as [PhoneEvent] }
            + [
                .media(.opened(CallID(.phone, 1), Sample.endpoint)), .line(.offerSent(CallID(.phone, 1))),
                .line(.ringing(CallID(.phone, 1))), .panel(.hook(.onHook)),
                .line(.ended(CallID(.phone, 1), .hungUpHere)),
            ]
    }

    private static var evening: [PhoneEvent] {
        [
            .request(ActionID(.control, 3), .dial(Sample.uri, account: nil)), .panel(.input("door", active: true)),
            .media(.devicePresent(.bluetooth)),
            .media(.deviceLost(.headset, Sample.text)), .network(.path(.none)), .deadline,
            .request(ActionID(.control, 4), .status), .shutDown,
        ]
    }
}
