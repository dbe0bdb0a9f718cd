import Base
import Bench
import Foundation
import Glibc
import Pinning
import Synchronization

/// Detects when this machine itself stalls: a virtual one does, for a tenth of a second now and then, and no program
/// on it keeps time then.
///
/// A thread on each processor, with the highest priority that the system allows, only sleeps 2 ms and reads the clock.
/// The time that it oversleeps was available to no program.
public final class StallWatch: Sendable {
    public static let shared = StallWatch()

    /// A device that is served every 5 ms is not affected by a shorter one.
    private static let shortest = Duration.milliseconds(5)
    private static let nap = Duration.milliseconds(2)
    /// A test with more stalls needs no longer list.
    private static let memory = 1_000

    private struct HostStalls {
        /// The last ones.
        var each: [(end: Instant, length: Duration)] = []
        /// The number, sum and longest of all stalls there were.
        var (count, total, longest) = (0, Duration.zero, Duration.zero)
    }

    private let began = MonotonicTime.now
    private let stalls = Mutex(HostStalls())

    private init() {
        for processor in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            Thread { self.watch(processor: processor) }.start()
        }
    }

    /// The overslept time since then.
    public func lengths(since start: Instant) -> [Duration] {
        stalls.withLock { $0.each.filter { $0.end > start }.map(\.length) }
    }

    /// How the machine kept time since the watch began.
    public var wholeRun: Stillness {
        stalls.withLock {
            Stillness(count: $0.count, total: $0.total, longest: $0.longest, elapsed: MonotonicTime.now - began)
        }
    }

    /// Watches a processor on a separate thread, until the process ends.
    private func watch(processor: Int) -> Never {
        Self.claim(processor)
        var last = MonotonicTime.now
        while true {
            MonotonicTime.sleep(Self.nap)
            let now = MonotonicTime.now
            let overslept = now - last - Self.nap
            last = now
            guard overslept >= Self.shortest else { continue }
            stalls.withLock { stalls in
                if stalls.each.count == Self.memory { stalls.each.removeFirst(Self.memory / 2) }
                stalls.each.append((now, overslept))
                stalls.count += 1
                stalls.total += overslept
                stalls.longest = max(stalls.longest, overslept)
            }
        }
    }

    /// Stays on that processor with the highest priority. Without the right to that, a busy machine counts as a
    /// stalled one.
    private static func claim(_ processor: Int) {
        _ = pin_to_processor(Int32(processor))
        var first = sched_param(sched_priority: sched_get_priority_max(SCHED_FIFO))
        _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &first)
    }
}
