import Base
import Glibc
import Pinning
import Synchronization

/// Notices when this machine itself stands still: a virtual one does, for a tenth of a second now and then, and no program
/// on it keeps time meanwhile.
///
/// A thread on each processor, above everybody else's where the system allows it, does nothing but sleep 2 ms and look at
/// the clock. What it oversleeps, nobody else could have used.
public final class StallWatch: Sendable {
    public static let shared = StallWatch()

    /// A device that is served every 5 ms feels no shorter one.
    private static let shortest = Duration.milliseconds(5)
    private static let nap = Duration.milliseconds(2)
    /// A test that saw more needs no more.
    private static let memory = 1_000

    private let stalls = Mutex<[(end: Instant, length: Duration)]>([])

    private init() {
        for processor in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            var thread = pthread_t()
            let start = Unmanaged.passRetained(Start(watch: self, processor: processor))
            let failure = pthread_create(&thread, nil, { Start.run($0) }, start.toOpaque())
            precondition(failure == 0, "a test process has room for a thread")
            pthread_detach(thread)
        }
    }

    /// What was overslept since then.
    public func lengths(since start: Instant) -> [Duration] {
        stalls.withLock { $0.filter { $0.end > start }.map(\.length) }
    }

    /// On a thread of its own, until the process ends.
    private func watch(processor: Int) -> Never {
        Self.claim(processor)
        var last = Self.now
        while true {
            Self.sleep(until: last + Self.nap)
            let now = Self.now
            let overslept = now - last - Self.nap
            last = now
            guard overslept >= Self.shortest else { continue }
            stalls.withLock { stalls in
                if stalls.count == Self.memory { stalls.removeFirst(Self.memory / 2) }
                stalls.append((now, overslept))
            }
        }
    }

    /// Stays on that processor, before everybody else. Without the right to that a busy machine counts as a still one.
    private static func claim(_ processor: Int) {
        _ = pin_to_processor(Int32(processor))
        var first = sched_param(sched_priority: sched_get_priority_max(SCHED_FIFO))
        _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &first)
    }

    public static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private static func sleep(until end: Instant) {
        let (seconds, nanoseconds) = Int(end.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        var until = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil) == EINTR {}
    }

    private final class Start {
        let watch: StallWatch
        let processor: Int

        init(watch: StallWatch, processor: Int) {
            self.watch = watch
            self.processor = processor
        }

        static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let start else { return nil }
            let own = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
            own.watch.watch(processor: own.processor)
        }
    }
}
