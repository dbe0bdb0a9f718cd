import Base

/// How a line switches quickly while its pattern is on: a dimmed lamp, or one half of a bell's alternating current.
package struct OutputCarrier: Equatable, Sendable {
    /// The length of one cycle of on and off.
    package let period: Duration
    /// The part of each period in which the line is active; the rest is off.
    package let active: Range<Duration>

    /// Times are whole nanoseconds, as in `Instant`: the panel cannot wait for a fraction of one.
    /// - Precondition: `active` is not empty and lies within a positive `period`.
    package init(period: Duration, active: Range<Duration>) {
        precondition(!active.isEmpty && active.lowerBound >= .zero && active.upperBound <= period, "not a part of it")
        self.period = .nanoseconds(period.nanoseconds)
        self.active = .nanoseconds(active.lowerBound.nanoseconds)..<(.nanoseconds(active.upperBound.nanoseconds))
    }

    /// - Parameter elapsed: The time since the pattern began; not negative.
    func isOn(after elapsed: Duration) -> Bool { active.contains(place(of: elapsed)) }

    /// How long the line keeps its level; more than zero.
    func rest(after elapsed: Duration) -> Duration {
        let place = place(of: elapsed)
        let edges = [active.lowerBound, active.upperBound, active.lowerBound + period]
        return edges.first { $0 > place }.map { $0 - place } ?? period
    }

    private func place(of elapsed: Duration) -> Duration {
        .nanoseconds(elapsed.nanoseconds % period.nanoseconds)
    }
}

extension OutputCarrier {
    /// A lamp at part of its brightness: a hundred times a second, too fast for the eye.
    /// - Parameter percent: 1...99.
    package static func dimmed(to percent: Int) -> OutputCarrier {
        let period = Duration.milliseconds(10)
        return OutputCarrier(period: period, active: .zero..<(period * percent / 100))
    }

    /// The two halves of the alternating current for a bell's coil. Between them both lines are off for a moment, so
    /// that a slow driver never has both on.
    /// - Parameter hertz: The current's frequency, 15...30.
    package static func halves(hertz: Int) -> [OutputCarrier] {
        let (period, rest) = (Duration.seconds(1) / hertz, Duration.milliseconds(2))
        return [.zero, period / 2].map { OutputCarrier(period: period, active: $0..<($0 + period / 2 - rest)) }
    }
}
