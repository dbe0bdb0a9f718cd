import ArgumentParser
import Bench

extension RehearsedCall {
    /// Has the call, and prints what happened and what held of it.
    /// - Parameter stop: Ends what it needed, and tells whether that went well.
    /// - Throws: Unless all of it held.
    func report(_ title: String, recordings folder: String, stop: () -> CheckList) throws {
        let failure = Result { try run(recordings: folder) }
        print(title + "\n")
        print(timeline.lines.joined(separator: "\n"))
        var checks = checks
        checks.append(stop())
        print("\n" + checks.lines.joined(separator: "\n") + "\n")
        _ = try failure.get()
        guard checks.allHeld else { throw ExitCode.failure }
    }
}
