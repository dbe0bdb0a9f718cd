import Bench
import Foundation
import HostStalls
import Panel
import PhoneCore
import Rig
import Testing
import offhook

/// The programs of docs/examples, as a user runs them.
@Suite(.serialized, .stallsForgiven) struct ExampleTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/examples/call.py").path

    @Test(.limit(minutesEachTime: 2)) func programPlacesCallAndFollowsItToItsEnd() throws {
        let pair = try PhonePair()
        // No other thread uses this phone until the program has ended.
        nonisolated(unsafe) let bob = pair.bob
        let person = Thread {
            guard (try? bob.wait(for: "incomingCall")) != nil else { return }
            _ = try? bob.ask("answer")
        }
        person.start()
        let run = try Command(
            program: ["python3", Self.script, pair.alice.folder.socket, "102", "1"], in: pair.workplace)
        #expect(run.exit == .status(0), "\(run)")
        let told = run.output.split(separator: "\n").map { $0.split(separator: " ").first ?? "" }
        let milestones = told.filter { ["callStarted", "callRinging", "callAnswered", "callEnded"].contains($0) }
        #expect(milestones == ["callStarted", "callRinging", "callAnswered", "callEnded"], "\(run.output)")
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    /// The configuration of `Scripts/demo kiosk`, except board and speaker.
    @Test func kioskExampleIsValidConfiguration() throws {
        let workplace = try Workplace()
        let path = workplace.path + "/offhook.yaml"
        let sections = try TextFile.read(Workplace.root + "/docs/examples/kiosk.yaml")
        try TextFile.write(
            "board: board.yaml\nsound:\n  speaker: { capture: default, playback: default }\n" + sections, to: path)
        let policy = try Settings(path: path).policy(accounts: AccountLabels([]), keys: [.speedDial(1)])
        #expect(policy.speedDials.keys.sorted() == [1] && policy.relays.keys.sorted() == [1] && policy.asksTheTime)
        let board = try Board.load(path: Workplace.root + "/board/raspberry-pi-kiosk.yaml")
        let inputs = Set(board.panel.inputs.map(\.key))
        #expect(!policy.alarms.isEmpty && inputs.isSuperset(of: policy.alarms.keys))
    }

    @Test(.limit(minutesEachTime: 2)) func failedCallIsExplained() throws {
        let pair = try PhonePair()
        let run = try Command(program: ["python3", Self.script, pair.alice.folder.socket, "!"], in: pair.workplace)
        #expect(run.exit == .status(1) && !run.output.contains("Traceback"), "\(run)")
    }
}
