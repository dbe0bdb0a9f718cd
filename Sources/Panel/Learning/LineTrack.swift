import Base

/// How one line moves during a press: its level, its bounces, and whether it was held.
struct LineTrack: Equatable, Sendable {
    /// Edges closer than this belong to the same touch. No finger presses and releases that fast.
    static let longestPause = Duration.milliseconds(30)
    /// A line that leaves its rest for a shorter time only twitches, for example beside a wire that is switched.
    private static let shortestPress = Duration.milliseconds(10)

    let rest: Bool
    private(set) var level: Bool
    private(set) var edges = 0
    /// The longest time from the first to the last edge of one touch.
    private(set) var bounce = Duration.zero
    /// Whether it was away from rest for as long as a finger's press lasts.
    private(set) var wasHeld = false
    private var touched: Instant?
    private var last: Instant?

    init(rest: Bool) { (self.rest, level) = (rest, rest) }

    mutating func moved(to active: Bool, at time: Instant) {
        let pause = last.map { time - $0 }
        if level != rest, let pause, pause >= Self.shortestPress { wasHeld = true }
        let began = if let touched, let pause, pause < Self.longestPause { touched } else { time }
        bounce = max(bounce, time - began)
        (touched, last, level) = (began, time, active)
        edges += 1
    }

    func isStill(for time: Duration, at now: Instant) -> Bool { level == rest && last.map { now - $0 >= time } ?? true }
}
