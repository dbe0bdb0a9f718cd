import Base
import Cryptography
import Media
import PhoneCore

/// A Media with its device and its events, and one call.
final class TestPhone {
    static let call = CallID(.phone, 1)

    let device: WireRig.Device
    let log = EventLog()
    let media: Media
    var port: UInt16 = 0
    /// Its candidates, if it does ICE.
    private(set) var ice: LocalICE?
    /// The fingerprint of this call's own certificate, if it has one.
    private(set) var fingerprint: [UInt8]?
    /// The source of its packets.
    private(set) var source: MediaSource?

    /// - Parameters:
    /// - identity: its certificate in handshakes.
    /// - change: differences from the usual settings.
    init(
        identity: DTLSIdentity? = nil, _ change: (inout MediaSettings) -> Void = { _ in },
        notice: @escaping @Sendable (MediaNotice) -> Void = { _ in }
    ) throws {
        device = WireRig.installed.device()
        var settings = device.settings
        change(&settings)
        let log = log
        media = Media(settings: settings, identity: identity, post: { log.add($0) }, notice: notice)
        try media.configure()
    }

    deinit { media.close() }

    func open() -> Bool {
        let found = open(Self.call)
        (port, ice, fingerprint, source) = (found?.port ?? 0, found?.ice, found?.fingerprint, found?.source)
        return found != nil
    }

    func open(_ call: CallID) -> MediaEndpoint? {
        media.perform(.open(call, .direct))
        return log.wait { if case .opened(call, let endpoint) = $0 { endpoint } else { nil } }
    }

    /// Connects to the plan's far end. False: it is never ready.
    func connect(_ plan: NegotiatedMedia) -> Bool {
        perform(.connect(Self.call, plan), .activate(Self.call))
        return log.wait(for: .ready(Self.call))
    }

    /// The plan of a call to another phone's sockets.
    func plan(
        to other: TestPhone, _ codec: AudioCodec = .opus, milliseconds: Int,
        protection: NegotiatedMedia.MasterKeys?
    ) -> NegotiatedMedia {
        let type = Self.payloadType(codec)
        return NegotiatedMedia(
            remote: MediaAddress(host: "127.0.0.1", port: other.port),
            remoteControl: MediaAddress(host: "127.0.0.1", port: other.port + 1),
            codec: .init(
                codec, sendPayloadType: type, receivePayloadType: type, packetMilliseconds: milliseconds,
                farEndUsesFEC: true),
            telephoneEvents: .init(
                sendPayloadType: 101, receivePayloadType: 101, clockRate: codec == .opus ? 48_000 : 8_000),
            reports: .init(roundTrip: true, loss: true, duplicates: true, jitter: true, voice: true),
            protection: protection.map { .sdes($0) }, sends: true, receives: true)
    }

    /// The plan of a call to another phone's sockets, with keys from a handshake.
    func plan(
        to other: TestPhone, milliseconds: Int = 20, isActive: Bool, expecting fingerprint: [UInt8]
    ) -> NegotiatedMedia {
        var plan = plan(to: other, milliseconds: milliseconds, protection: nil)
        plan.remoteControl = nil
        plan.protection = .dtls(.init(isActive: isActive, fingerprints: [fingerprint]))
        return plan
    }

    static func payloadType(_ codec: AudioCodec) -> UInt8 {
        switch codec {
        case .opus: 111
        case .g722: 9
        case .pcma: 8
        case .pcmu: 0
        }
    }

    func perform(_ effects: MediaEffect...) { for effect in effects { media.perform(effect) } }

    func received(_ symbol: DTMFSymbol) -> Int { log.count { $0 == .dtmfReceived(Self.call, symbol) } }

    /// How many handshakes have brought keys for the voice.
    var shownKeys: Int { log.count { if case .keyShown(Self.call, _) = $0 { true } else { false } } }

    func waitForKeys(_ count: Int) -> Bool {
        for _ in 0..<100 where shownKeys < count { listen(milliseconds: 50) }
        return shownKeys == count
    }
}

/// Two phones in a call with each other.
struct TestCall {
    let a: TestPhone
    let b: TestPhone
    let planA: NegotiatedMedia
    let planB: NegotiatedMedia

    /// The longest that there are; a suite uses as much as it needs.
    static let keyA = [UInt8](repeating: 0xA5, count: 46)
    static let keyB = [UInt8](repeating: 0x5B, count: 46)

    static func keyLength(of suite: CryptoSuite) -> Int {
        switch suite {
        case .aes128Tag80, .aes128Tag32: 30
        case .aes256Tag80, .aes256Tag32: 46
        case .gcm128: 28
        case .gcm256: 44
        }
    }

    struct NotConnected: Error {}

    /// - Parameter keyHeardByB: A's key in B's view.
    init(
        _ codec: AudioCodec = .opus, milliseconds: Int = 20,
        suite: CryptoSuite = .aes128Tag80,
        keyHeardByB: [UInt8] = keyA,
        isProtected: Bool = true, _ change: (inout MediaSettings) -> Void = { _ in }
    ) throws {
        a = try TestPhone(change)
        b = try TestPhone(change)
        guard a.open(), b.open() else { throw NotConnected() }
        let length = Self.keyLength(of: suite)
        let (sentByA, sentByB) = (Array(Self.keyA.prefix(length)), Array(Self.keyB.prefix(length)))
        let protectionA = NegotiatedMedia.MasterKeys(
            suite: suite, sendKey: SecretBytes(sentByA), receiveKey: SecretBytes(sentByB))
        let protectionB = NegotiatedMedia.MasterKeys(
            suite: suite, sendKey: SecretBytes(sentByB), receiveKey: SecretBytes(Array(keyHeardByB.prefix(length))))
        planA = a.plan(to: b, codec, milliseconds: milliseconds, protection: isProtected ? protectionA : nil)
        planB = b.plan(to: a, codec, milliseconds: milliseconds, protection: isProtected ? protectionB : nil)
        a.perform(.connect(TestPhone.call, planA))
        b.perform(.connect(TestPhone.call, planB))
        guard a.log.wait(for: .ready(TestPhone.call)), b.log.wait(for: .ready(TestPhone.call)) else {
            throw NotConnected()
        }
        a.perform(.activate(TestPhone.call))
        b.perform(.activate(TestPhone.call))
    }

    /// Keys from a handshake. This does not wait for them.
    /// - Parameters:
    /// - isBegunByA: which end sends the first flight.
    /// - expected: the certificate announced to A; nil: that of B.
    /// - life: how long both show a certificate.
    /// - identity: A's certificate. Nil: a fresh one.
    init(
        handshakeBegunByA isBegunByA: Bool, milliseconds: Int = 20, expecting expected: DTLSIdentity? = nil,
        certificate life: MediaSettings.CertificateLife = .phone, by identity: DTLSIdentity? = nil
    ) throws {
        let identities = (a: try identity ?? DTLSIdentity.make(), b: try DTLSIdentity.make())
        a = try TestPhone(identity: identities.a) { $0.certificate = life }
        b = try TestPhone(identity: identities.b) { $0.certificate = life }
        guard a.open(), b.open() else { throw NotConnected() }
        let shownByA = a.fingerprint ?? identities.a.certificate.fingerprint
        let shownByB = (expected ?? identities.b).certificate.fingerprint
        planA = a.plan(
            to: b, milliseconds: milliseconds, isActive: isBegunByA, expecting: b.fingerprint ?? shownByB)
        planB = b.plan(to: a, milliseconds: milliseconds, isActive: !isBegunByA, expecting: shownByA)
    }

    /// Begins the call at both ends.
    func begin() {
        a.perform(.connect(TestPhone.call, planA), .activate(TestPhone.call))
        b.perform(.connect(TestPhone.call, planB), .activate(TestPhone.call))
    }

    /// Begins the call at both ends. False: a handshake brought no keys in time.
    func connect() -> Bool {
        begin()
        return a.log.wait(for: .ready(TestPhone.call)) && b.log.wait(for: .ready(TestPhone.call))
    }

    /// Both hear each other.
    func isUp() -> Bool {
        a.log.wait(for: .firstVoice(TestPhone.call)) && b.log.wait(for: .firstVoice(TestPhone.call))
    }

    /// Speaks at A and listens at B; repeats unclear speech, as the machine may have stalled.
    func carry(seconds: Double) -> Match? {
        var best: Match?
        for _ in 0..<3 where (best?.correlation ?? 0) <= 0.8 { best = say(seconds: seconds) ?? best }
        return best
    }

    private func say(seconds: Double) -> Match? {
        let said = TestSignal.speech(seconds: seconds)
        let start = WireFile.now() + 9_600
        a.device.mouth.say(said, at: start)
        listen(milliseconds: Int(seconds * 1_000) + 700)
        return Match(said: said, heard: b.device.ear.heard(start..<start + said.count + 19_200))
    }

    /// The same call, seen from the other end.
    var reversed: TestCall { TestCall(b, a, planB, planA) }

    init(_ a: TestPhone, _ b: TestPhone, _ planA: NegotiatedMedia, _ planB: NegotiatedMedia) {
        (self.a, self.b, self.planA, self.planB) = (a, b, planA, planB)
    }
}
