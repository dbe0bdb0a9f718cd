import Bench
import Foundation
import Rig
import HostStalls
import Testing

/// The demonstration itself, as its script runs it.
@Suite(.serialized, .stallsForgiven) struct DemoTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(.limit(minutesEachTime: 6), arguments: Matrix.cases([10], others: [20]))
    func twoDeskPhonesTalk(packetMilliseconds: Int) throws {
        try expectHeld("call", ["--packet", "\(packetMilliseconds)"] + speech)
    }

    /// Its short form: `Scripts/demo --verto` also holds and resumes.
    @Test(.limit(minutesEachTime: 3), .enabled(if: VertoServer.isPossible, "needs aiortc (Scripts/webrtc)"))
    func twoPhonesCompareWords() throws {
        let server = ["--python", VertoServer.python, "--server", VertoServer.script]
        try expectHeld("verto", ["--short"] + server + speech)
    }

    @Test(.limit(minutesEachTime: 3)) func kioskCallsTwoDesks() throws {
        try expectHeld("kiosk", ["--sections", Workplace.root + "/docs/examples/kiosk.yaml"])
    }

    @Test(
        .limit(minutesEachTime: 3),
        .enabled(if: BackendServer.isThere && Kamailio.isInstalled, "needs Scripts/setup backend kamailio"))
    func backendSignsInAndDescribesCallers() throws {
        try expectHeld("backend", ["--python", BackendServer.python, "--server", BackendServer.script])
    }

    private var speech: [String] {
        ["--alice", workplace.path + "/alice.wav", "--bob", workplace.path + "/bob.wav"]
    }

    /// Every check that the bench prints passed.
    private func expectHeld(_ rehearsal: String, _ more: [String]) throws {
        let log = workplace.path + "/story"
        let bench = try ChildProcess(
            [
                Workplace.bench, rehearsal, "--folder", "\(workplace.path)/\(rehearsal)", "--wire", Workplace.wire,
                "--board", Workplace.board,
            ] + more, log: log)
        let exit = bench.wait(upTo: .seconds(120))
        let story = try String(contentsOfFile: log, encoding: .utf8)
        print(story)
        #expect(exit == .status(0), "\(story)")
    }
}
