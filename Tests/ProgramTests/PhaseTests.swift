import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// Phase 1 of a start does only the work needed to announce a call, as the kernel sees it.
@Suite(.serialized, .stallsForgiven) struct PhaseTests {
    private static let canTrace = FileManager.default.fileExists(atPath: "/usr/bin/strace")

    /// Method: trace every opened file, bound socket and message to the service manager, in order. Sound is opened
    /// after `READY=1`, and the control socket is bound after it. With the handset lifted the sound device opens,
    /// which proves that the trace would show it.
    @Test(.enabled(if: canTrace, "no strace"), .limit(minutesEachTime: 1))
    func soundDeviceOpensAfterReady() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_320, firstMediaPort: 26_660))
        let socket = workplace.path + "/notify"
        let listener = try NotifySocket(path: socket)
        let trace = workplace.path + "/strace"
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone,
            prefix: [
                "env", "NOTIFY_SOCKET=\(socket)", "strace", "-D", "-f", "-qq", "-s", "256", "-o", trace, "-e",
                "trace=open,openat,bind,sendto,sendmsg,write",
            ])
        #expect(listener.next(within: .seconds(20)) == "READY=1")
        try phone.ask("liftHook")
        try phone.wait(for: "toneChanged", upTo: .seconds(20)) { $0.fields["tone"] == "dial" }
        #expect(phone.process.stop(within: .seconds(10)).exit == .status(0))

        let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map(String.init)
        let ready = try #require(lines.firstIndex { $0.contains("READY=1") }, "the trace shows no READY=1")
        func places(_ words: String...) -> [Int] {
            lines.indices.filter { place in words.allSatisfy { lines[place].contains($0) } }
        }
        let sound = places("open", "/dev/snd") + places("open", folder.card.ear) + places("open", folder.card.mouth)
        #expect(!sound.isEmpty && sound.allSatisfy { $0 > ready }, "\(sound.map { lines[$0] }), ready \(ready)")
        let control = places("bind", folder.socket)
        #expect(!control.isEmpty && control.allSatisfy { $0 > ready }, "\(control), ready \(ready)")
        // The line's socket is bound before.
        #expect(places("bind", "htons(26320)").contains { $0 < ready })
    }
}
