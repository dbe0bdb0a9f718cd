import Base
import CProcess  // For poll.h, which it brings.
import Glibc

/// poll(2) with a deadline on `MonotonicClock`.
public enum Poll {
    /// Sleeps until a descriptor has an event, a signal comes, or the deadline has passed. The deadline is rounded up
    /// to a millisecond, so it never passes too early. Allocates nothing.
    public static func wait(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int, until deadline: Instant?) {
        guard let deadline else {
            _ = unsafe poll(descriptors, UInt(count), -1)
            return
        }
        let left = max(0, (deadline - MonotonicClock.now()).nanoseconds)
        _ = unsafe poll(descriptors, UInt(count), Int32(clamping: (left + 999_999) / 1_000_000))
    }
}
