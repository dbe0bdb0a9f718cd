import Base

/// Accepts a new level of a contact only after the contact was at rest for a while.
///
///     stable ──raw differs──► changing ──at rest long enough──► stable, other level
///        ▲                       │  ▲
///        └──────raw is back──────┘  └─ an edge restarts the wait
///
/// It works with timed edges, so it is exact even when it is called late. A level that was at rest long enough between
/// two edges is reported, however late the edges arrive. So a press and its release are never lost together.
package struct Debouncer: Equatable, Sendable {
    /// The usual time at rest of a hook, and of any contact that is not a key.
    package static let usual = Duration.milliseconds(30)
    /// The usual time at rest of a button.
    package static let usualOfButton = Duration.milliseconds(10)

    private enum State: Equatable, Sendable {
        case stable(Bool)
        case changing(from: Bool, since: Instant)
    }

    /// How long a contact must be active, or inactive, until its level is accepted.
    private let activation: Duration
    private let deactivation: Duration
    private var state: State

    package init(level: Bool, activation: Duration, deactivation: Duration) {
        precondition(activation >= .zero && deactivation >= .zero, "a time to wait is not negative")
        self.activation = activation
        self.deactivation = deactivation
        state = .stable(level)
    }

    /// The accepted level.
    package var level: Bool {
        switch state {
        case .stable(let level), .changing(from: let level, since: _): level
        }
    }

    package var isAtRest: Bool { deadline == nil }

    /// When to call `sample` at the latest; nil while nothing changes.
    package var deadline: Instant? {
        switch state {
        case .stable: nil
        case .changing(from: let old, let since): since + (old ? deactivation : activation)
        }
    }

    /// The contact changed. Edges come in the order of their times.
    ///
    /// - Returns: The level accepted before this edge, if it is new.
    package mutating func edge(to raw: Bool, at time: Instant) -> Bool? {
        let reached = settle(at: time)
        // This also applies if the contact is already changing to this level: then an edge in between was lost, and the
        // contact was not at rest.
        state = raw == level ? .stable(raw) : .changing(from: level, since: time)
        return reached
    }

    /// The contact has this level now, after all edges so far.
    ///
    /// - Returns: The level accepted now, if it is new.
    package mutating func sample(_ raw: Bool, at now: Instant) -> Bool? {
        if raw == level {
            state = .stable(raw)
        } else if isAtRest {
            state = .changing(from: level, since: now)
        }
        return settle(at: now)
    }

    /// Time has passed, and only earlier edges are known.
    ///
    /// - Returns: The level accepted now, if it is new.
    package mutating func settle(at now: Instant) -> Bool? {
        guard let deadline, now >= deadline else { return nil }
        let reached = !level
        state = .stable(reached)
        return reached
    }
}
