import Bench
import Foundation
import Rig
import HostStalls
import Testing

/// The demonstration itself, as its script runs it.
@Suite(.serialized, .stallsForgiven) struct DemoTests {
    @Test(.limit(minutesEachTime: 6), arguments: Matrix.cases([10], others: [20]))
    func twoDeskPhonesTalk(packetMilliseconds: Int) throws {
        let workplace = try Workplace()
        let log = workplace.path + "/story"
        let bench = try ChildProcess(
            [
                Workplace.bench, "call", "--folder", workplace.path + "/call", "--packet",
                "\(packetMilliseconds)", "--wire", Workplace.wire, "--board", Workplace.board, "--alice",
                workplace.path + "/alice.wav", "--bob", workplace.path + "/bob.wav",
            ], log: log)
        let exit = bench.wait(upTo: .seconds(120))
        let story = try String(contentsOfFile: log, encoding: .utf8)
        print(story)
        #expect(exit == .status(0), "\(story)")
    }

    /// Its short form: `Scripts/demo --verto` also holds and resumes.
    @Test(.limit(minutesEachTime: 3), .enabled(if: VertoServer.isPossible, "needs aiortc (Scripts/webrtc)"))
    func twoPhonesCompareTheirWords() throws {
        let workplace = try Workplace()
        let log = workplace.path + "/story"
        let bench = try ChildProcess(
            [
                Workplace.bench, "verto", "--short", "--folder", workplace.path + "/verto", "--wire", Workplace.wire,
                "--board", Workplace.board, "--python", VertoServer.python, "--server", VertoServer.script, "--alice",
                workplace.path + "/alice.wav", "--bob", workplace.path + "/bob.wav",
            ], log: log)
        let exit = bench.wait(upTo: .seconds(120))
        let story = try String(contentsOfFile: log, encoding: .utf8)
        print(story)
        #expect(exit == .status(0), "\(story)")
    }

    @Test(.limit(minutesEachTime: 3)) func aKioskAndTwoDesks() throws {
        let workplace = try Workplace()
        let log = workplace.path + "/story"
        let bench = try ChildProcess(
            [
                Workplace.bench, "kiosk", "--folder", workplace.path + "/kiosk", "--wire", Workplace.wire,
                "--board", Workplace.board, "--sections", Workplace.root + "/docs/examples/kiosk.yaml",
            ], log: log)
        let exit = bench.wait(upTo: .seconds(120))
        let story = try String(contentsOfFile: log, encoding: .utf8)
        print(story)
        #expect(exit == .status(0), "\(story)")
    }
}
