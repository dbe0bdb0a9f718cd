import CProcess
import Glibc
import Platform

/// Starts a program that inherits only its two pipes from the phone.
enum ChildProcess {
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - output: Its standard output and standard error.
    /// - Returns: Its process identifier, which is also that of its process group.
    static func start(
        _ command: [String], event: String, input: Int32, output: Int32
    ) throws(SystemFailure) -> pid_t {
        let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "OFFHOOK_EVENT=" + event]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let failure = unsafe cprocess_spawn(&identifier, &arguments, &variables, input, output)
        guard failure == 0 else { throw SystemFailure(command[0], failure) }
        return identifier
    }
}
