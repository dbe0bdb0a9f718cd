import Base
import Bench
import Foundation
import Testing

@Suite struct ChildProcessTests {
    private let log = NSTemporaryDirectory() + "offhook-child-\(UUID().uuidString)"

    @Test func statusAndOutputAreKept() throws {
        defer { try? FileManager.default.removeItem(atPath: log) }
        let child = try ChildProcess(["sh", "-c", "echo said $WORD; exit 3"], environment: ["WORD": "so"], log: log)
        #expect(child.wait(upTo: .seconds(10)) == .status(3))
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "said so\n")
    }

    /// A socket that survives in a child keeps its port.
    @Test func openDescriptorsAreNotInherited() throws {
        defer { try? FileManager.default.removeItem(atPath: log) }
        let file = unsafe open("/dev/null", O_RDONLY)
        defer { close(file) }
        let child = try ChildProcess(["sh", "-c", "test ! -e /proc/self/fd/\(file)"], log: log)
        #expect(child.wait(upTo: .seconds(10)) == .status(0))
    }

    @Test func programWithDefaultSignalsEndsWhenAsked() throws {
        defer { try? FileManager.default.removeItem(atPath: log) }
        let child = try ChildProcess(["sleep", "60"], log: log)
        #expect(child.stop(within: .seconds(10)).exit == .signal(15))
    }

    @Test func unresponsiveProgramIsKilled() throws {
        defer { try? FileManager.default.removeItem(atPath: log) }
        let child = try ChildProcess(["sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done"], log: log)
        while (try? String(contentsOfFile: log, encoding: .utf8)) != "up\n" { MonotonicTime.sleep(.milliseconds(5)) }
        let end = child.stop(within: .milliseconds(200))
        #expect(end.exit == .signal(9))
        #expect(end.took >= .milliseconds(200))
    }

    @Test func missingProgramIsError() {
        #expect(throws: ChildProcess.Failure.self) { try ChildProcess(["/nowhere/at-all"], log: log) }
    }
}
