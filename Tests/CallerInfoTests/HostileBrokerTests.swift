import Base
import Bench
import CallerInfo
import CallerInfoCore
import Foundation
import HostStalls
import Rig
import Testing

/// The adapter with a scripted broker, which is old or hostile.
@Suite(.serialized, .stallsForgiven) struct HostileBrokerTests {
    private static let port: UInt16 = 28_890
    private static let topic = "offhook/desk/caller-info"

    private let certificates: Certificates
    private var settings = BrokerSettings(host: "localhost", port: port, device: "desk", topic: topic)

    init() throws {
        certificates = try Certificates()
        try certificates.make("broker", "DNS:localhost")
        settings.authorities = certificates.authority
    }

    private func broker(_ mode: String) throws -> ChildProcess {
        let log = certificates.folder + "/broker.log"
        let broker = try ChildProcess(
            [
                "python3", Workplace.root + "/Tests/Servers/mqtt_broker.py", "\(Self.port)",
                certificates.certificate("broker"), certificates.key("broker"), mode,
            ], log: log)
        let end = MonotonicTime.now + .seconds(10)
        while !(try TextFile.read(log)).contains("ready"), MonotonicTime.now < end {
            MonotonicTime.sleep(.milliseconds(5))
        }
        return broker
    }

    @Test(.limit(minutesEachTime: 1), arguments: ["old", "mute"]) func oldBrokerIsAskedByItsVersion(
        _ mode: String
    ) throws {
        let (broker, receiver) = (try broker(mode), Receiver())
        let channel = try receiver.open(settings)
        try channel.waitUntilConnected(receiver)
        #expect(receiver.reports.last == .connected(broker: "localhost:\(Self.port)", .v311))
        // The refused version alone is no failure that a person has to see.
        #expect(mode == "mute" || receiver.reports.count == 1)
        try receiver.wait("waited for a message") { receiver.numbers == ["+491"] }
        #expect(channel.close())
        withExtendedLifetime(broker) {}
    }

    @Test(.limit(minutesEachTime: 1)) func refusedTopicIsReported() throws {
        let (broker, receiver) = (try broker("refuse"), Receiver())
        let channel = try receiver.open(settings)
        try receiver.waitForFailure("it refuses the topic offhook/desk/caller-info")
        #expect(channel.close() && channel.statistics.connections == 0)
        withExtendedLifetime(broker) {}
    }

    /// Whatever a broker sends, the phone's memory stays small and the thread can be ended.
    @Test(
        .limit(minutesEachTime: 1),
        arguments: [
            ("huge", "it sent more than 1048576 bytes without a message"),
            ("endless", "it sent more than 256 messages at once"), ("twice", "A network protocol error occurred"),
        ])
    func hostileBrokerIsDisconnected(_ mode: String, _ reason: String) throws {
        let (broker, receiver) = (try broker(mode), Receiver())
        let before = try anonymousMemory()
        let channel = try receiver.open(settings)
        try receiver.wait("waited for a connection") { channel.statistics.connections > 0 }
        try receiver.wait("waited for the end") { !channel.statistics.isConnected }
        try receiver.waitForFailure(reason)
        #expect(try anonymousMemory() - before < 32 << 20)
        #expect(channel.statistics.taken == 0)
        let asked = MonotonicTime.now
        #expect(channel.close())
        #expect(MonotonicTime.now - asked < .seconds(1))
        withExtendedLifetime(broker) {}
    }

    private func anonymousMemory() throws -> Int {
        let status = try TextFile.read("/proc/self/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
    }
}
