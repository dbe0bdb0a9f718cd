import Base

/// Durations that a person notices.
struct CallTimes: Equatable, Sendable {
    /// The time from the arrival of a call until it rings; the goal is a few milliseconds.
    var announce = Histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5])
    /// The time from the decision to answer until voice may flow.
    var answer = Histogram([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
    var length = Histogram([10, 30, 60, 300, 900, 3_600])
}
