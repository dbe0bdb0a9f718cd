import Base

/// Whether anything arrives: silence is told once it has lasted, and its end at once. Pure.
package struct RTPInactivityTimer: Equatable, Sendable {
    package enum Change: Equatable, Sendable { case silent, heard }

    /// What shows that the far end is there.
    package enum Sign: Equatable, Sendable {
        case voice
        /// The far end sends no voice, or none is wanted: then its reports (RFC 3550 §6.4), which come each few seconds
        /// as long as it takes part. Without them whoever only listens could stay for ever.
        case reports
    }

    private enum State: Equatable, Sendable {
        /// Nothing is expected: not active yet.
        case off
        case listening(Sign, since: Instant)
        case silent(Sign)
    }

    private let patience: Duration
    private var state = State.off

    /// - Parameter patience: How long voice may be missing. Reports may be for twice as long: 7.5 s lie between two of
    ///   them at most, when none is lost (RFC 3550 §6.2).
    package init(patience: Duration) { self.patience = patience }

    package var deadline: Instant? {
        switch state {
        case .listening(.voice, let since): since + patience
        case .listening(.reports, let since): since + patience * 2
        case .off, .silent: nil
        }
    }

    /// What is expected from now on. Nil: nothing.
    package mutating func expect(_ sign: Sign?, at now: Instant) {
        switch (state, sign) {
        case (_, nil): state = .off
        case (.listening(let before, _), let sign?) where before == sign: break
        case (.listening, let sign?), (.off, let sign?): state = .listening(sign, since: now)
        // Silence was told, and is over when something comes, whatever that is to be.
        case (.silent, let sign?): state = .silent(sign)
        }
    }

    package mutating func arrived(_ arrival: Sign, at now: Instant) -> Change? {
        switch (state, arrival) {
        case (.off, _), (.listening(.voice, _), .reports), (.silent(.voice), .reports): return nil
        case (.listening(let sign, _), _):
            state = .listening(sign, since: now)
            return nil
        case (.silent(let sign), _):
            state = .listening(sign, since: now)
            return .heard
        }
    }

    package mutating func check(at now: Instant) -> Change? {
        guard let deadline, now >= deadline, case .listening(let sign, _) = state else { return nil }
        state = .silent(sign)
        return .silent
    }
}
