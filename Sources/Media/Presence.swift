import Base

/// Whether anything arrives: silence is told once it has lasted, and its end at once. Pure.
package struct Presence: Equatable, Sendable {
    package enum Change: Equatable, Sendable { case silent, heard }

    private enum State: Equatable, Sendable {
        /// Nothing is expected: not active yet, or held.
        case off
        case listening(since: Instant)
        case silent
    }

    private let patience: Duration
    private var state = State.off

    package init(patience: Duration) { self.patience = patience }

    package var deadline: Instant? {
        if case .listening(let since) = state { since + patience } else { nil }
    }

    package mutating func expect(_ isExpected: Bool, at now: Instant) {
        switch (state, isExpected) {
        case (_, false): state = .off
        case (.off, true): state = .listening(since: now)
        case (.listening, true), (.silent, true): break
        }
    }

    package mutating func arrived(at now: Instant) -> Change? {
        switch state {
        case .off: return nil
        case .listening:
            state = .listening(since: now)
            return nil
        case .silent:
            state = .listening(since: now)
            return .heard
        }
    }

    package mutating func check(at now: Instant) -> Change? {
        guard let deadline, now >= deadline else { return nil }
        state = .silent
        return .silent
    }
}
