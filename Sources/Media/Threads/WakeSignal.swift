import Base
import CALSA  // For poll.h, which it brings.
import Glibc

/// Wakes one thread that sleeps in poll. Signals before the thread's first sleep are not lost.
///
/// A pipe whose ends never block: `raise` is one system call and safe on a real-time thread. (An eventfd would need a
/// C shim of its own for the same.)
final class WakeSignal: Sendable {
    /// What poll watches.
    let descriptor: Int32
    private let far: Int32

    init() throws(MediaError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .system("a wake-up signal cannot be made", errno) }
        (descriptor, far) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(descriptor)
        close(far)
    }

    /// A full pipe refuses the byte: then the thread is being woken anyway.
    func raise() {
        var byte: UInt8 = 1
        _ = unsafe write(far, &byte, 1)
    }

    /// The thread that was woken calls this before it looks for work.
    func clear() {
        var bytes = InlineArray<64, UInt8>(repeating: 0)
        _ = unsafe withUnsafeMutableBytes(of: &bytes) { unsafe read(descriptor, $0.baseAddress, $0.count) }
    }

    /// Sleeps until raised or until `deadline`; nil is for ever.
    func wait(until deadline: Instant?) { _ = wait(until: deadline, beside: -1) }

    /// Sleeps until another descriptor has something to say, too.
    /// - Parameter other: poll overlooks it when it is negative.
    /// - Returns: whether it has.
    func wait(until deadline: Instant?, beside other: Int32) -> Bool {
        var waiting: InlineArray<2, pollfd> = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        var span = waiting.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer {
            guard let start = $0.baseAddress else { return }
            unsafe Poll.wait(start, count: 2, until: deadline)
        }
        clear()
        return waiting[1].revents != 0
    }
}

/// poll(2) with a deadline on our clock.
enum Poll {
    /// Sleeps until a descriptor has something to say, a signal came, or the deadline has passed; to the millisecond,
    /// never too early.
    static func wait(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int, until deadline: Instant?) {
        guard let deadline else {
            _ = unsafe poll(descriptors, UInt(count), -1)
            return
        }
        let left = max(0, (deadline - MonotonicClock.now()).nanoseconds)
        _ = unsafe poll(descriptors, UInt(count), Int32(clamping: (left + 999_999) / 1_000_000))
    }
}
