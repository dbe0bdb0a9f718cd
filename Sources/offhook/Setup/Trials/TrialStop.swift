import Synchronization

/// Ends a trial before its time. From any thread.
final class TrialStop: Sendable {
    private struct State: Sendable {
        var isStopped = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.action?()
            state.action = nil
        }
    }

    /// What else ends the wait of the trial: done when it is stopped, or at once if it has been. It must neither block
    /// nor stop. Nil: there is nothing any more, and when this returns nothing is being done.
    func set(_ action: (@Sendable () -> Void)?) {
        state.withLock { state in
            state.action = state.isStopped ? nil : action
            if state.isStopped { action?() }
        }
    }
}
