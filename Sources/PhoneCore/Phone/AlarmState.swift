import Base

/// An input that calls somebody when it becomes active.
///
/// ```
///            active, pause is over                call placed, or given up
///   quiet ───────────────────────────► waiting ───────────────────────────► over
///     └──────► resting ────────────────┘  ▲
///      active     the pause is over ──────┘        each of the three becomes quiet when the input does
/// ```
struct AlarmState: Equatable, Codable, Sendable {
    enum Stage: Equatable, Codable, Sendable {
        /// The input is not active.
        case quiet
        /// It is active again too soon after its last call.
        case resting(until: Instant)
        /// It is active, and nobody was called yet.
        case waiting(until: Instant)
        /// It is still active, and this activation calls nobody any more.
        case over
    }

    var stage = Stage.quiet
    /// When it last called, or gave up.
    var triedAt: Instant?
    /// Whether a notice has reported that the next call waits. A loose contact must not fill the log.
    var isTold = false

    var due: Instant? {
        switch stage {
        case .quiet, .over: nil
        case .resting(let until), .waiting(let until): until
        }
    }
}
