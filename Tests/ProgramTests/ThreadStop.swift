import Foundation
import Glibc

/// Stops one thread of another program, as a system call or library call that never returns does (ptrace(2)). Only the
/// thread that created it may use it.
final class ThreadStop {
    // Swift sees neither ptrace(2), which is variadic, nor its requests.
    private typealias Trace = @convention(c) (Int, pid_t, Int, Int) -> Int
    private static let trace = unsafeBitCast(dlsym(nil, "ptrace"), to: Trace.self)
    private static let (seize, interrupt, detach) = (0x4206, 0x4207, 17)

    private let thread: pid_t

    /// Whether this machine allows stopping threads.
    static let isPermitted: Bool = {
        guard let child = try? Process.run(URL(fileURLWithPath: "/bin/sleep"), arguments: ["5"]) else { return false }
        defer { child.terminate() }
        return ThreadStop(child.processIdentifier) != nil
    }()

    /// - Parameter name: The beginning of the thread's name, as `top` shows it; nil: the main thread.
    convenience init?(_ name: String?, of process: pid_t) {
        let tasks = "/proc/\(process)/task"
        let found = try? FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { pid_t($0) }.first { task in
            guard let name else { return task == process }
            return (try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8))?.hasPrefix(name) ?? false
        }
        guard let found else { return nil }
        self.init(found)
    }

    private init?(_ thread: pid_t) {
        guard Self.trace(Self.seize, thread, 0, 0) == 0, Self.trace(Self.interrupt, thread, 0, 0) == 0 else {
            return nil
        }
        var status: Int32 = 0
        // __WALL: threads, too.
        guard waitpid(thread, &status, 0x4000_0000) == thread else { return nil }
        self.thread = thread
    }

    deinit {
        _ = Self.trace(Self.detach, thread, 0, 0)
        // For a thread that has ended, this lets its process end.
        var status: Int32 = 0
        waitpid(thread, &status, 0x4000_0000 | WNOHANG)
    }
}
