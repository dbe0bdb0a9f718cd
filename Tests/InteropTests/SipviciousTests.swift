import Base
import Bench
import Control
import Foundation
import Rig
import HostStalls
import Testing

/// SIP scanners, on a host that the phones do not know, during a call. No phone rings, the scanners learn nothing, and
/// the call is undisturbed.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: HostPair.isPossible && Tool.isInstalled("svmap"), "needs root, iproute2 and sipvicious (Scripts/setup test)"
    ))
struct SipviciousTests {
    private let hosts: HostPair
    private let pair: PhonePair
    private let folder: String

    init() throws {
        hosts = try HostPair()
        pair = try PhonePair(address: hosts.first.address, prefix: hosts.first.prefix)
        folder = pair.workplace.path + "/sipvicious"
    }

    private func scan(_ program: String, _ words: String...) throws -> Tool {
        try Tool(
            hosts.second.prefix + [program, "-p", "\(pair.ports.bob)"] + words + [hosts.first.address],
            in: "\(folder)/\(UUID().uuidString)")
    }

    /// Two people talk while it scans.
    /// - Returns: The output of the scans.
    private func whileTalking(_ begin: () throws -> [Tool]) throws -> [String] {
        try pair.establish()
        let scans = try begin()
        Conversation(
            first: (pair.alice.mouth, pair.alice.ear, pair.workplace.alice),
            second: (pair.bob.mouth, pair.bob.ear, pair.workplace.bob)
        ).expectUnderstood()
        let printed = try scans.map { try $0.findings(upTo: .seconds(30)).output }
        try pair.bob.collect()
        #expect(pair.bob.all("incomingCall").count == 1 && pair.bob.all("missedCall").isEmpty)
        for phone in [pair.alice, pair.bob] {
            let figures = phone.all("callQualityUpdated").compactMap { $0.fields["quality"] }
            #expect(figures.allSatisfy { $0["lossPercent"]?.double == 0 }, "\(figures)")
        }
        try pair.alice.ask("hangup")
        #expect(try pair.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
        return printed
    }

    @Test(.limit(minutesEachTime: 1)) func svmapLearnsNoName() throws {
        let maps = try whileTalking { try ["OPTIONS", "INVITE", "REGISTER"].map { try scan("svmap", "-m", $0) } }
        // A phone is no registrar: a stranger's REGISTER is not even answered.
        for (map, found) in zip(maps, ["SIP Device", "SIP Device", "found nothing"]) {
            #expect(map.contains(found) && !map.contains("Offhook"), "\(map)")
        }
    }

    /// The existing extension, 102, looks like its neighbours.
    @Test(.limit(minutesEachTime: 1)) func svwarFindsNoExtension() throws {
        let wars = try whileTalking {
            try ["REGISTER", "OPTIONS", "INVITE"].map { try scan("svwar", "-e", "101-103", "-m", $0, "--force") }
        }
        for war in wars {
            let rows = war.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains(/10[1-3]/) }
            let found = Set(rows.map { $0.replacing(/10[1-3]/, with: "10x") })
            #expect(rows.isEmpty || rows.count == 3 && found.count == 1, "\(war)")
        }
    }

    @Test(.limit(minutesEachTime: 1)) func svcrackFindsNoPassword() throws {
        let cracks = try whileTalking { [try scan("svcrack", "-u", "102", "-r", "1-50")] }
        #expect(cracks[0].contains("found nothing"), "\(cracks)")
    }
}
