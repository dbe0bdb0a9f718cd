import Base
import CProcess  // For poll.h, which it brings.
import Glibc

/// poll(2) with a deadline on our clock.
public enum Poll {
    /// Sleeps until a descriptor has something to say, a signal came, or the deadline has passed; to the millisecond,
    /// never too early. Allocates nothing.
    public static func wait(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int, until deadline: Instant?) {
        guard let deadline else {
            _ = unsafe poll(descriptors, UInt(count), -1)
            return
        }
        let left = max(0, (deadline - MonotonicClock.now()).nanoseconds)
        _ = unsafe poll(descriptors, UInt(count), Int32(clamping: (left + 999_999) / 1_000_000))
    }
}
