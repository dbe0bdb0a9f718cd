import Base
import PhoneCore

/// What a person does to the simulated panel.
public enum PanelStimulus: Equatable, Sendable {
    case liftHook
    case replaceHook
    /// A key or a button, by the name that `Key.name` gives it.
    case press(String)
    case release(String)
    /// Turns the dial and lets it go: 1 to 25 pulses a second, 10 being usual. A dial that still turns is put to its rest
    /// before that.
    case dial(DTMFSymbol, pulsesPerSecond: Int)
    /// Puts a direct contact in a position without bounce: `hook`, `buttons.` and a key's name, `inputs.` and an input's
    /// name, `dial.pulse` or `dial.off-normal`.
    case setLine(String, active: Bool)
}

/// How a contact chatters when it moves: it opens and closes at random times, and at last rests.
public struct ContactBounce: Equatable, Sendable {
    /// From the first touch to rest, at most.
    public let duration: Duration
    /// How often it comes apart again on its way; from this range at random.
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

    /// The times at which the contact moves, an odd number of them, the first one at `start`.
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
    /// On the monotonic clock.
    public let at: Instant
}
