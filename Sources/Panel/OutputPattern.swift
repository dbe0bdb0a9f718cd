import Base
import PhoneCore

/// How a line switches over time: a lamp's blinking, a bell's cadence or a relay's pulse.
///
/// It is a pure function of time, so a late call gives the right level, and no error accumulates.
package struct OutputPattern: Equatable, Sendable {
    /// The times on and off alternately, beginning with on. An empty list is off for ever, a single one is on for ever.
    private let phases: [Duration]
    private let start: Instant
    /// From this time on the line is off for ever; nil: the pattern has no end.
    private let end: Instant?

    private init(phases: [Duration], start: Instant, end: Instant? = nil) {
        self.phases = phases
        self.start = start
        self.end = end
    }

    package init(_ effect: PanelEffect, at start: Instant) {
        switch effect {
        case .lamp(_, let pattern): self.init(pattern, at: start)
        case .bell(let cadence): self.init(cadence, at: start)
        case .relay(_, let isOn): self.init(phases: isOn ? [.zero] : [], start: start)
        case .pulse(_, let end): self.init(phases: [.zero], start: start, end: end)
        }
    }

    package init(_ pattern: LampPattern, at start: Instant) {
        let phases: [Duration] =
            switch pattern {
            case .off: []
            case .on: [.zero]
            case .slowBlink: [.milliseconds(500), .milliseconds(500)]
            case .fastBlink: [.milliseconds(125), .milliseconds(125)]
            // Two short flashes a second.
            case .flutter: [.milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(700)]
            }
        self.init(phases: phases, start: start)
    }

    package init(_ cadence: RingCadence?, at start: Instant) {
        self.init(phases: cadence?.phases ?? [], start: start)
    }

    /// Whether both have the same pattern and the same end, even if they began at different times.
    package func looksLike(_ other: OutputPattern) -> Bool { phases == other.phases && end == other.end }

    /// - Parameter carrier: How the line switches while the pattern is on; nil: it stays on.
    package func isOn(at now: Instant, carrier: OutputCarrier? = nil) -> Bool {
        isPatternOn(at: now) && carrier?.isOn(after: elapsed(at: now)) ?? true
    }

    /// When the line may change next; nil if it never changes.
    package func nextChange(after now: Instant, carrier: OutputCarrier? = nil) -> Instant? {
        guard !isOver(at: now) else { return nil }
        let ofPattern = phases.count > 1 ? now + position(at: now).remaining : end
        guard let carrier, isPatternOn(at: now) else { return ofPattern }
        return .earliest(ofPattern, now + carrier.rest(after: elapsed(at: now)))
    }

    private func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? false }

    private func isPatternOn(at now: Instant) -> Bool {
        guard !isOver(at: now) else { return false }
        guard phases.count > 1 else { return !phases.isEmpty }
        return position(at: now).index.isMultiple(of: 2)
    }

    private func elapsed(at now: Instant) -> Duration { max(.zero, now - start) }

    /// The phase at a time, and how much of it is left, always more than zero.
    private func position(at now: Instant) -> (index: Int, remaining: Duration) {
        let period = phases.reduce(Duration.zero, +)
        var left = Duration.nanoseconds(elapsed(at: now).nanoseconds % period.nanoseconds)
        for (index, phase) in phases.enumerated() {
            guard left >= phase else { return (index, phase - left) }
            left -= phase
        }
        preconditionFailure("the rest of a division is less than the divisor")
    }
}

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
