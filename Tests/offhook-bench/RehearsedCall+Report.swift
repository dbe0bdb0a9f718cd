import Bench
import Commands

extension RehearsedCall {
    /// Runs the call, and prints its events and checks.
    /// - Parameter stop: Ends the programs, and reports whether that worked.
    /// - Throws: Unless all checks held.
    func report(_ title: String, recordings folder: String, stop: () -> CheckList) throws {
        let failure = Result { try run(recordings: folder) }
        print(title + "\n")
        print(timeline.lines().joined(separator: "\n"))
        var checks = checks
        checks.append(stop())
        print("\n" + checks.lines.joined(separator: "\n") + "\n")
        _ = try failure.get()
        guard checks.allHeld else { throw ExitCode.failure }
    }
}
