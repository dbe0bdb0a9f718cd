import Base
import Bench
import CallerInfo
import CallerInfoCore
import Foundation
import HostStalls
import Rig
import SecureTransport
import Testing

/// The adapter with Debian's mosquitto over TLS.
@Suite(.serialized, .stallsForgiven, .enabled(if: Broker.isThere, "Scripts/setup test installs mosquitto"))
struct ChannelTests {
    private static let port: UInt16 = 28_883
    private static let topic = "offhook/desk/caller-info"
    private static let presence = "offhook/desk/presence"
    private let certificates: Certificates
    private var settings = BrokerSettings(host: "localhost", port: Self.port, device: "desk", topic: Self.topic)

    init() throws {
        certificates = try Certificates()
        try certificates.make("broker", "DNS:localhost,IP:127.0.0.1")
        settings.authorities = certificates.authority
        settings.presence = Self.presence
    }

    private func broker(_ change: (inout Broker.Settings) -> Void = { _ in }) throws -> Broker {
        var settings = Broker.Settings(port: Self.port)
        change(&settings)
        switch settings.certificate {
        case "other": try certificates.make("other", "DNS:other.example")
        case "expired": try certificates.make("expired", "DNS:localhost", days: 0)
        case "own": try certificates.make("own", "DNS:localhost", isSelfSigned: true)
        default: break
        }
        return try Broker(settings, certificates)
    }

    @Test(.limit(minutesEachTime: 1)) func messageReachesThePhone() throws {
        let (broker, receiver) = (try broker(), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        #expect(receiver.reports == [.connected(broker: "localhost:28883", .v5)])
        try broker.publish(
            incoming("+4930123456", id: "a", age: 2, more: #","caller_name":"Ada","organization_id":7"#), to: Self.topic
        )
        try receiver.wait("waited for a message") { !receiver.events.isEmpty }
        guard case .incoming(let info) = receiver.events.first else { throw Receiver.Silence(description: "no call") }
        #expect(info.ids == ["a"] && info.number == "+4930123456" && info.name == "Ada")
        #expect(info.organisation?.id.rawValue == "7")
        let age = MonotonicTime.now - info.sent
        #expect((.seconds(2)...Duration.seconds(6)).contains(age))
        #expect(channel.close())
    }

    /// The broker keeps a message until the phone has dealt with it.
    @Test(.limit(minutesEachTime: 1)) func messageIsSentAgainAfterACrash() throws {
        let broker = try broker()
        let first = Receiver(settlesAtOnce: false)
        let crashing = try first.open(settings)
        try crashing.waitUntilConnected(first)
        try broker.publish(incoming("+491"), to: Self.topic)
        try broker.publish(incoming("+492"), to: Self.topic)
        try first.wait("waited for a message") { first.numbers == ["+491"] }
        #expect(crashing.close(), "the thread does not wait for the phone")
        #expect(first.numbers == ["+491"], "the second message waits for the first")

        let second = Receiver()
        let channel = try second.open(settings)
        try second.wait("waited for both messages") { second.numbers == ["+491", "+492"] }
        #expect(channel.close())

        // Now they are acknowledged.
        let third = Receiver()
        let last = try third.open(settings)
        try last.waitUntilConnected(third)
        try broker.publish(incoming("+493"), to: Self.topic)
        try third.wait("waited for the last message") { !third.events.isEmpty }
        #expect(third.numbers == ["+493"])
        #expect(last.close())
    }

    @Test(.limit(minutesEachTime: 1)) func phoneThatDoesNotSettleGetsTheMessageAgain() throws {
        let (broker, receiver) = (try broker(), Receiver(settlesAtOnce: false))
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        try broker.publish(incoming("+491"), to: Self.topic)
        try receiver.wait("waited for it twice", upTo: .seconds(12)) { receiver.numbers == ["+491", "+491"] }
        #expect(receiver.reports.contains(.unsettled))
        channel.settle(try #require(receiver.events.last?.ticket))
        try channel.waitUntilConnected(receiver, times: 2)
        #expect(channel.close())
        #expect(channel.statistics.unsettled == 1)
    }

    @Test(.limit(minutesEachTime: 1)) func messagesOfAnAbsentPhoneWait() throws {
        let (broker, receiver) = (try broker(), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        #expect(channel.close())
        try broker.publish(incoming("+491"), to: Self.topic)
        try broker.publish(incoming("+492", age: 31), to: Self.topic)
        let again = try receiver.open(settings)
        try receiver.wait("waited for the message") { again.statistics.dropped[.stale] == 1 }
        #expect(receiver.numbers == ["+491"])
        #expect(again.close())
    }

    @Test(.limit(minutesEachTime: 1)) func presenceFollowsThePhone() throws {
        let (broker, receiver) = (try broker(), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        try broker.waitForText("online", of: Self.presence)
        #expect(channel.close())
        try broker.waitForText("offline", of: Self.presence)
    }

    @Test(.limit(minutesEachTime: 1)) func killedBrokerIsFoundAgain() throws {
        let (broker, receiver) = (try broker(), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        broker.kill()
        try receiver.wait("waited for the loss") { !channel.statistics.isConnected }
        try broker.start()
        try channel.waitUntilConnected(receiver, times: 2)
        try broker.publish(incoming("+491"), to: Self.topic)
        try receiver.wait("waited for a message") { receiver.numbers == ["+491"] }
        #expect(channel.close())
    }

    // MARK: Trust

    @Test(
        .limit(minutesEachTime: 1),
        arguments: [
            ("other", "its certificate is not for localhost"), ("expired", "certificate has expired"),
            ("own", "self-signed certificate"),
        ])
    func untrustedBrokerGetsNoPassword(_ certificate: String, _ reason: String) throws {
        let broker = try broker {
            ($0.certificate, $0.password) = (certificate, "secret")
        }
        var settings = settings
        (settings.user, settings.password) = ("phone", .file(try passwordFile("secret")))
        let receiver = Receiver()
        let channel = try receiver.open(settings)
        try receiver.waitForFailure(reason)
        #expect(channel.close())
        #expect(!(try TextFile.read(broker.log)).contains("offhook-desk"), "CONNECT was sent")
    }

    @Test(.limit(minutesEachTime: 1)) func changedCertificateIsRefusedUntilItIsRight() throws {
        let (broker, receiver) = (try broker(), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        broker.kill()
        try certificates.make("other", "DNS:other.example")
        try broker.start { $0.certificate = "other" }
        try receiver.waitForFailure("its certificate is not for localhost")
        broker.kill()
        try broker.start { $0.certificate = "broker" }
        try channel.waitUntilConnected(receiver, times: 2)
        #expect(channel.close())
    }

    @Test(.limit(minutesEachTime: 1)) func pinDecidesAlone() throws {
        let (broker, receiver) = (try broker { $0.certificate = "own" }, Receiver())
        var settings = settings
        settings.pin = try digest("own")
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        #expect(channel.close())
        settings.pin = try digest("broker")
        let refused = try receiver.open(settings)
        try receiver.waitForFailure("its certificate is not the pinned one")
        #expect(refused.close())
        withExtendedLifetime(broker) {}
    }

    @Test(.limit(minutesEachTime: 1)) func passwordOrCertificateOpensTheBroker() throws {
        let (broker, receiver) = (try broker { $0.password = "pa ss\"" }, Receiver())
        var settings = settings
        (settings.user, settings.password) = ("phone", .file(try passwordFile("pa ss\"\n")))
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        #expect(channel.close())
        settings.password = .text(Redacted("pa ss\""))
        let another = try receiver.open(settings)
        try another.waitUntilConnected(receiver)
        #expect(another.close())
        settings.password = .text(Redacted("wrong"))
        let wrong = try receiver.open(settings)
        try receiver.waitForFailure("it refuses the phone: Not authorized")
        #expect(wrong.close())
        broker.kill()

        try broker.start {
            $0.password = nil
            $0.asksForCertificate = true
        }
        (settings.user, settings.password) = (nil, nil)
        try certificates.make("phone", "DNS:desk")
        settings.identity = TLSIdentityFiles(
            certificateFile: certificates.certificate("phone"), keyFile: certificates.key("phone"))
        let shown = try receiver.open(settings)
        try shown.waitUntilConnected(receiver)
        #expect(shown.close())
    }

    // MARK: Hostile messages

    @Test(.limit(minutesEachTime: 1)) func hostileMessagesAreCounted() throws {
        let (broker, receiver) = (try broker(), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        try broker.publish("nonsense", to: Self.topic)
        try broker.publish(incoming("+491", age: 31), to: Self.topic)
        try broker.publish(incoming("+491", age: -120), to: Self.topic)
        // The longest message is read, and the broker does not send a longer one.
        let filler = String(repeating: "x", count: 65_000)
        try broker.publish(incoming("+492", more: #","more":"\#(filler)""#), to: Self.topic)
        try broker.publish(incoming("+493", more: #","more":"\#(filler)\#(filler)""#), to: Self.topic)
        try broker.publish(incoming("+494"), to: Self.topic)
        try receiver.wait("waited for the last message") { receiver.numbers.last == "+494" }
        #expect(receiver.numbers == ["+492", "+494"])
        #expect(channel.statistics.dropped == [.invalid: 1, .stale: 1, .future: 1])
        #expect(channel.statistics.connections == 1)
        #expect(channel.close())
    }

    @Test(.limit(minutesEachTime: 1)) func floodIsLimitedAndCounted() throws {
        let (broker, receiver) = (try broker(), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        let flood = try broker.flood((0..<3_000).map { incoming("+49\($0)", id: "c\($0)") }, to: Self.topic)
        #expect(flood.wait(upTo: .seconds(20)) == .status(0))
        try receiver.wait("waited for the rate to recover") { (channel.statistics.dropped[.flood] ?? 0) > 1_000 }
        MonotonicTime.sleep(.milliseconds(300))
        try broker.publish(incoming("+1"), to: Self.topic)
        try receiver.wait("waited for a call after the flood") { receiver.numbers.last == "+1" }
        let statistics = channel.statistics
        #expect(statistics.taken < 300 && statistics.connections == 1)
        #expect(receiver.reports.count { if case .dropped = $0 { true } else { false } } <= 3)
        #expect(channel.close())
    }

    private func digest(_ name: String) throws -> [UInt8] {
        try certificates.fingerprint(name).split(separator: ":").compactMap { UInt8($0, radix: 16) }
    }

    private func passwordFile(_ text: String) throws -> String {
        let path = certificates.folder + "/password"
        try TextFile.write(text, to: path)
        return path
    }
}
