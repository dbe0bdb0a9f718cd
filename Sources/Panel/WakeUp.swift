import Base
import CGPIO
import Glibc

/// A bell that any thread may ring and one thread waits for, together with other descriptors (an eventfd).
final class WakeUp: Sendable {
    private let descriptor: Int32

    init() {
        descriptor = cgpio_bell()
        precondition(descriptor >= 0, "no descriptor left for the panel")
    }

    deinit { close(descriptor) }

    func ring() {
        var one: UInt64 = 1
        // It fails only when it is ringing 2⁶⁴ - 2 times over, and then it rings.
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Blocks until it rings, one of `others` can be read, the time has come, or a signal was handled.
    func wait(with others: [Int32], until deadline: Instant?) throws(PanelError) {
        let timeout = deadline.map { max(0, ($0 - MonotonicClock.now()).nanoseconds) } ?? -1
        guard unsafe cgpio_wait(descriptor, others, others.count, timeout) == 0 else {
            throw .broken("a chip is gone: \(SystemError.text(errno))")
        }
    }
}
