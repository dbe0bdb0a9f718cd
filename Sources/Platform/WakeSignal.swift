import Base
import CProcess
import Glibc

/// Wakes one thread that sleeps. Signals before the thread sleeps are not lost, and several signals count as one.
///
/// An eventfd that never blocks: `raise` is one system call, allocates nothing, and is safe on a real-time thread.
public final class WakeSignal: Sendable {
    private let owned: FileDescriptor
    /// The descriptor for poll.
    public var descriptor: Int32 { owned.number }

    /// - Throws: When no descriptor is left.
    public init() throws(SystemFailure) {
        let made = cprocess_eventfd()
        guard made >= 0 else { throw SystemFailure("a wake-up signal cannot be made", errno) }
        owned = FileDescriptor(owning: made)
    }

    /// A signal that the program makes at its start, when descriptors are still available.
    public static func atStart() -> WakeSignal {
        do throws(SystemFailure) { return try WakeSignal() } catch { preconditionFailure("\(error)") }
    }

    public func raise() {
        var one: UInt64 = 1
        // It fails only after 2⁶⁴ - 2 signals, and then the thread is being woken anyway.
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// The thread that was woken calls this before it looks for work.
    public func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Sleeps until raised or until `deadline`; nil: without a limit.
    public func wait(until deadline: Instant?) { _ = wait(until: deadline, beside: -1) }

    /// Also wakes when another descriptor has an event. Allocates nothing.
    /// - Parameter other: poll ignores it when it is negative.
    /// - Returns: whether the other descriptor has an event.
    public func wait(until deadline: Instant?, beside other: Int32) -> Bool {
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
