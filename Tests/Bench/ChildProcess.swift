import Base
import Glibc
import Platform

/// A program that the bench started: its output goes to a file, and it is ended by its process identifier only.
public final class ChildProcess {
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case cannotStart(String, reason: String)

        public var description: String {
            switch self {
            case .cannotStart(let program, let reason): "\(program): cannot be started: \(reason)"
            }
        }
    }

    public enum Exit: Equatable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    public let identifier: pid_t
    public let started: Instant
    private var exit: Exit?

    /// Starts `arguments[0]`, found on PATH, with this environment and both outputs appended to `log`.
    public init(_ arguments: [String], environment: [String: String] = [:], log: String) throws(Failure) {
        precondition(!arguments.isEmpty, "a program has a name")
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        unsafe Self.closeInherited(&actions)
        // Threads that run tests block every signal; a child that inherited that would ignore the request to end.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let merged = Self.inherited.merging(environment) { _, new in new }
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe merged.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let code = unsafe posix_spawnp(&identifier, arguments[0], &actions, &attributes, &argv, &envp)
        guard code == 0 else {
            throw .cannotStart(arguments[0], reason: SystemError.text(code))
        }
        self.identifier = identifier
        started = MonotonicTime.now
    }

    deinit { if poll() == nil { kill(identifier, SIGKILL); _ = wait(upTo: .seconds(1)) } }

    public func signal(_ number: Int32) { if poll() == nil { kill(identifier, number) } }

    /// How it ended, if it has.
    public func poll() -> Exit? {
        if let exit { return exit }
        var status: Int32 = 0
        guard unsafe waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
        exit = status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
        return exit
    }

    /// Waits until it has ended. Nil: it still runs.
    public func wait(upTo limit: Duration) -> Exit? {
        let end = MonotonicTime.now + limit
        while poll() == nil, MonotonicTime.now < end { usleep(2_000) }
        return exit
    }

    /// Asks it to end, then kills it. Returns how it ended and how long that took.
    public func stop(within limit: Duration = .seconds(4)) -> (exit: Exit?, took: Duration) {
        let asked = MonotonicTime.now
        signal(SIGTERM)
        if wait(upTo: limit) == nil {
            signal(SIGKILL)
            _ = wait(upTo: .seconds(1))
        }
        return (exit, MonotonicTime.now - asked)
    }

    /// A child has only its inputs and outputs: an inherited socket would keep its port in use after it is closed
    /// here.
    public static func closeInherited(_ actions: inout posix_spawn_file_actions_t) {
        for descriptor in STDERR_FILENO + 1..<min(getdtablesize(), 1_024) {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }

    private static var inherited: [String: String] {
        var result: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return result
    }
}
