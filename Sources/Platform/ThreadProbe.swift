import Base
import Synchronization

/// A question to a thread whether it still works. The thread answers whenever it begins a turn of its loop.
///
/// `ask` may be called from any thread. `answer` costs one atomic load while nobody asks, so a real-time thread may call
/// it in every turn.
public final class ThreadProbe: Sendable {
    /// The thread's name, as `top` shows it.
    public let name: String
    /// Whether the phone must restart when this thread hangs. Other threads wait for a disk, which may be slow.
    public let isVital: Bool
    /// When the oldest unanswered question was asked, in nanoseconds of the monotonic clock; 0: all are answered.
    private let asked = Atomic<Int64>(0)
    private let answered = Atomic<Int64>(0)
    /// The thread has ended on purpose.
    private let isRetired = Atomic<Bool>(false)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Wakes the thread. It must not block.
    public init(name: String, isVital: Bool, wake: @escaping @Sendable () -> Void) {
        (self.name, self.isVital, self.wake) = (name, isVital, wake)
    }

    public convenience init(_ role: ThreadRole, wake: @escaping @Sendable () -> Void) {
        self.init(name: role.rawValue, isVital: role.isVital, wake: wake)
    }

    /// Asks, and wakes the thread.
    /// - Returns: When the oldest unanswered question was asked, before this one; nil: the thread has answered all.
    @discardableResult
    public func ask(at now: Instant) -> Instant? {
        guard !isRetired.load(ordering: .relaxed) else { return nil }
        let oldest = asked.load(ordering: .acquiring)
        if oldest == 0 { asked.store(now.nanoseconds, ordering: .releasing) }
        wake()
        return oldest == 0 ? nil : Instant(nanoseconds: oldest)
    }

    /// Called by the thread itself.
    /// - Returns: Whether somebody had asked.
    @discardableResult
    public func answer() -> Bool {
        guard asked.load(ordering: .acquiring) != 0 else { return false }
        answered.store(MonotonicClock.now().nanoseconds, ordering: .relaxed)
        asked.store(0, ordering: .releasing)
        return true
    }

    /// Called by the thread itself when it ends: its answers are no longer expected.
    public func retire() {
        isRetired.store(true, ordering: .relaxed)
        answer()
    }

    /// When the thread last answered; nil: never. A retired thread counts as answering now.
    public var lastAnswer: Instant? {
        if isRetired.load(ordering: .relaxed) { return MonotonicClock.now() }
        let nanoseconds = answered.load(ordering: .relaxed)
        return nanoseconds == 0 ? nil : Instant(nanoseconds: nanoseconds)
    }
}

extension ThreadRole {
    /// Whether the phone is restarted when this thread hangs. Threads that wait for a disk are only named in the log,
    /// because calls work without them.
    var isVital: Bool {
        switch self {
        case .mediaAudio, .mediaNetwork, .mediaRinger, .panel, .mediaEvents, .mediaDevices, .mediaConnections, .network:
            true
        case .display, .vault, .mediaRecorder, .mediaPlayer, .mediaRings, .mediaNames, .eventLog, .programs,
            .callerInfo, .http, .setup:
            false
        }
    }
}
