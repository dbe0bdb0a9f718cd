import Synchronization

/// Ends a trial early. From any thread.
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

    /// Sets an action that also wakes the trial's wait. It runs when the trial is stopped, or at once if it already is.
    /// It must neither block nor call `stop`. Nil removes it; afterwards no action is running.
    func set(_ action: (@Sendable () -> Void)?) {
        state.withLock { state in
            state.action = state.isStopped ? nil : action
            if state.isStopped { action?() }
        }
    }
}
