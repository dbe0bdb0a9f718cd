import Bench
import Glibc

/// A `VaultWriter` beside the test's own executable: it communicates through a pipe, and can be killed.
final class ChildProcess {
    struct SpawnFailed: Error { let code: Int32 }

    let process: pid_t
    private let output: Int32
    private let input: Int32
    private var unread: [UInt8] = []

    init(_ mode: String, _ scratch: Scratch) throws {
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        precondition(unsafe pipe(&toChild) == 0 && pipe(&fromChild) == 0, "there are descriptors left")
        // Otherwise a second child would keep the first one's pipe open.
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        _ = unsafe posix_spawn_file_actions_init(&actions)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        _ = unsafe posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        _ = unsafe posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        unsafe Bench.ChildProcess.closeInherited(&actions)

        let words = [ChildProcess.executable, mode, scratch.vault, scratch.keyFile]
        var arguments = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
        }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, words[0], &actions, nil, arguments, environ)
        close(toChild[0])
        close(fromChild[1])
        (self.process, input, output) = (process, toChild[1], fromChild[0])
        if code != 0 { throw SpawnFailed(code: code) }
    }

    deinit {
        close(input)
        close(output)
    }

    /// The next line, or nil at the end of the output.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var block = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe read(output, &block, block.count)
            guard count > 0 else { return nil }
            unread += block[..<count]
        }
    }

    func kill() { _ = Glibc.kill(process, SIGKILL) }

    /// Waits for the end and gives the signal that caused it, 0 if none did.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F
    }

    /// SwiftPM puts every executable of the package into one folder.
    private static var executable: String {
        guard let own = unsafe realpath("/proc/self/exe", nil) else { preconditionFailure("/proc is mounted") }
        defer { unsafe free(own) }
        return unsafe String(cString: own).split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
            + "/VaultWriter"
    }
}
