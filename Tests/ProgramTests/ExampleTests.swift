import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// The programs of docs/examples, as somebody runs them who copies them.
@Suite(.serialized, .stallsForgiven) struct ExampleTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/examples/call.py").path

    @Test(.limit(minutesEachTime: 2)) func aProgramPlacesACallAndFollowsItToItsEnd() throws {
        let pair = try PhonePair()
        // Nobody else looks at this phone until the program has ended.
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

    @Test(.limit(minutesEachTime: 2)) func itSaysWhyACallWasNotPlaced() throws {
        let pair = try PhonePair()
        let run = try Command(program: ["python3", Self.script, pair.alice.folder.socket, "!"], in: pair.workplace)
        #expect(run.exit == .status(1) && !run.output.contains("Traceback"), "\(run)")
    }
}
