import Foundation
import Glibc
import Synchronization

/// The audio threads of this process.
enum AudioThreads {
    /// The folders below /proc of the threads with this name.
    static func folders(of name: String = "media-audio") throws -> [String] {
        let tasks = "/proc/self/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).map { "\(tasks)/\($0)" }.filter { folder in
            // Other threads may start and end in between.
            (try? String(contentsOfFile: folder + "/comm", encoding: .utf8)) == name + "\n"
        }
    }

    /// Stalls them, whatever their priority. By default the stall is longer than the queued playback and shorter than
    /// the free capture buffer. (Swift does not see tgkill(2).)
    static func stall(milliseconds: Int = 50) throws {
        _ = isPrepared
        nanoseconds.store(milliseconds * 1_000_000, ordering: .relaxed)
        let kill = unsafe unsafeBitCast(dlsym(nil, "tgkill"), to: (@convention(c) (pid_t, pid_t, Int32) -> Int32).self)
        for folder in try folders() {
            guard let thread = folder.split(separator: "/").last.flatMap({ pid_t($0) }) else { continue }
            _ = kill(getpid(), thread, SIGPROF)
        }
    }

    private static let nanoseconds = Atomic<Int>(0)

    /// The thread with the signal sleeps. Libraries do not block this signal.
    private static let isPrepared: Bool = {
        signal(SIGPROF) { _ in
            let whole = AudioThreads.nanoseconds.load(ordering: .relaxed)
            var time = timespec(tv_sec: whole / 1_000_000_000, tv_nsec: whole % 1_000_000_000)
            _ = unsafe nanosleep(&time, nil)
        }
        return true
    }()
}
