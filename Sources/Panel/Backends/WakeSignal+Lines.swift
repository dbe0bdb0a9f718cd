import Base
import CGPIO
import Glibc
import Platform

extension WakeSignal {
    /// Blocks until it is raised, one of `others` can be read, the deadline is reached, or a signal was handled.
    ///
    /// - Throws: If one of `others` has failed for good.
    func wait(with others: [Int32], until deadline: Instant?) throws(PanelError) {
        let timeout = deadline.map { max(0, ($0 - MonotonicClock.now()).nanoseconds) } ?? -1
        guard unsafe cgpio_wait(descriptor, others, others.count, timeout) == 0 else {
            throw .broken("a chip is gone: \(SystemError.text(errno))")
        }
    }
}
