import Synchronization

/// Asks threads to end. Raise it, then wake them.
final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    var isRaised: Bool { flag.load(ordering: .acquiring) }
    func raise() { flag.store(true, ordering: .releasing) }
}
