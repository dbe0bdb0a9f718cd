import Base
import PhoneCore

/// An action of a person at the simulated panel.
public enum PanelStimulus: Equatable, Sendable {
    case liftHook
    case replaceHook
    /// A key or a button, by its `Key.name`.
    case press(String)
    case release(String)
    /// Turns the dial and releases it: 1 to 25 pulses a second, usually 10. A dial that is still turning first jumps to
    /// its rest position.
    case dial(DTMFSymbol, pulsesPerSecond: Int)
    /// Sets a direct contact without bounce: `hook`, `buttons.` and a key's name, `inputs.` and an input's name,
    /// `dial.pulse` or `dial.off-normal`.
    case setLine(String, active: Bool)
}

/// How a contact bounces when it moves: it opens and closes at random times, then rests.
public struct ContactBounce: Equatable, Sendable {
    /// The longest time from the first touch to rest.
    public let duration: Duration
    /// How often it opens again before it rests: a random number from this range.
    public let breaks: ClosedRange<Int>

    /// - Precondition: `duration` is not negative and `breaks` lies in 0...100.
    public init(duration: Duration, breaks: ClosedRange<Int>) {
        precondition(duration >= .zero && breaks.lowerBound >= 0 && breaks.upperBound <= 100, "not a contact's bounce")
        self.duration = duration
        self.breaks = breaks
    }

    /// A worn hook switch.
    public static let typical = ContactBounce(duration: .milliseconds(5), breaks: 2...6)
    public static let none = ContactBounce(duration: .zero, breaks: 0...0)

    /// The times at which the contact moves, beginning with `start`. Their number is odd.
    func moves(from start: Instant, using generator: inout SeededGenerator) -> [Instant] {
        let breaks = duration == .zero ? 0 : Int.random(in: self.breaks, using: &generator)
        let chatter = (0..<2 * breaks).map { _ in
            start + .nanoseconds(Int64.random(in: 1...duration.nanoseconds, using: &generator))
        }
        return [start] + chatter.sorted()
    }
}

/// A lamp, a relay or the bell of the simulated panel went on or off.
public struct SimulatedOutput: Equatable, Sendable {
    public let part: PanelOutput
    public let active: Bool
    /// The time of the change on the monotonic clock.
    public let at: Instant
}
