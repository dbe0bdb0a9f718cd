import Base
import CProcess  // For poll.h, which it brings.
import Glibc

/// Owns one file descriptor and closes it exactly once, when its owner is destroyed.
public struct FileDescriptor: ~Copyable, Sendable {
    public let number: Int32

    /// - Precondition: it is open, and no other code closes it.
    public init(owning number: Int32) {
        precondition(number >= 0, "a descriptor is open")
        self.number = number
    }

    /// Opens a file. A program that is started later does not inherit the descriptor.
    /// - Parameter failure: Makes an error from an `errno`.
    public init<Failure: Error>(
        _ path: String, _ flags: Int32, mode: mode_t = 0, failure: (_ code: Int32) -> Failure
    ) throws(Failure) {
        var opened = unsafe open(path, flags | O_CLOEXEC, mode)
        // A signal interrupted the opening of a slow device.
        while opened < 0, errno == EINTR { opened = unsafe open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else { throw failure(errno) }
        number = opened
    }

    deinit { _ = close(number) }

    /// Passes the descriptor to the caller, who must close it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}

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
