import Panel
import Synchronization

/// Counts operations and fails one of them, once.
final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func next() throws(PanelError) {
        let fails = left.withLock { left in
            left -= 1
            return left == -1
        }
        if fails { throw .broken("unplugged") }
    }
}
