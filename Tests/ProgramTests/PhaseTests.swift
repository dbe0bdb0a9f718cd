import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// Phase 1 of a start does only what announcing a call needs, as the kernel sees it.
@Suite(.serialized, .stallsForgiven) struct PhaseTests {
    private static let canTrace = FileManager.default.fileExists(atPath: "/usr/bin/strace")

    /// Method: every file that is opened, every socket that is bound and every word to the service manager, in order. What
    /// belongs to sound is opened behind `READY=1` only, and the control socket is bound behind it; with the handset lifted
    /// the sound device is opened, so that the trace is known to show it.
    @Test(.enabled(if: canTrace, "no strace"), .limit(minutesEachTime: 1))
    func noSoundDeviceIsOpenedBeforeThePhoneIsReady() throws {
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
        // The line's socket is there before.
        #expect(places("bind", "htons(26320)").contains { $0 < ready })
    }
}
