import Base

/// Finds the one line whose contact a person moves, from edges and levels of many lines. A value type.
///
///     at rest ──a line leaves its level──► moving ──all are back and still──► found, or several
///                                             │
///                                             └──only twitches──► at rest
///
/// It keeps counts and no edges, so it does not grow, however long a person takes.
package struct ContactPress: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case waiting
        case found(LearntContact)
        /// These lines moved together, so they cannot be told apart.
        case several([Int])
        /// The line changes without end: nothing sets its level.
        case restless(Int)
    }

    /// How long all lines must be at rest to end a press. A second press in that time does no harm.
    package static let stillness = Duration.milliseconds(400)
    /// More changes than any contact makes in one press.
    private static let mostEdges = 500

    private var tracks: [Int: LineTrack]

    /// - Parameter levels: The level of each watched line, while nobody touches anything.
    package init(levels: [Int: Bool]) { tracks = levels.mapValues { LineTrack(rest: $0) } }

    /// Takes the edges since the last call and the current levels. The levels make up for lost edges.
    package mutating func looked(edges: [LineEdge], levels: [Int: Bool], at now: Instant) -> Outcome {
        for edge in edges { tracks[edge.line]?.moved(to: edge.active, at: edge.at) }
        for (line, level) in levels where tracks[line].map({ $0.level != level }) ?? false {
            tracks[line]?.moved(to: level, at: now)
        }
        if let restless = tracks.first(where: { $0.value.edges > Self.mostEdges }) { return .restless(restless.key) }
        guard tracks.values.allSatisfy({ $0.isStill(for: Self.stillness, at: now) }) else { return .waiting }
        let held = tracks.filter { $0.value.wasHeld }
        guard let (line, track) = held.first else {
            tracks = tracks.mapValues { LineTrack(rest: $0.rest) }
            return .waiting
        }
        guard held.count == 1 else { return .several(held.keys.sorted()) }
        return .found(LearntContact(line: line, isHigh: !track.rest, bounce: track.bounce, edges: track.edges))
    }
}

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

/// The properties of a contact that a press has shown.
package struct LearntContact: Equatable, Sendable {
    /// The longest debounce to write, because a person notices a longer wait. A contact that needs more is worn.
    package static let longestDebounce = Duration.milliseconds(200)

    /// The index of its line among the watched lines.
    package let line: Int
    /// Whether its line is high while the contact is moved.
    package let isHigh: Bool
    /// The longest time from its first touch to rest.
    package let bounce: Duration
    /// Its changes of level, there and back.
    package let edges: Int

    package init(line: Int, isHigh: Bool, bounce: Duration, edges: Int) {
        (self.line, self.isHigh, self.bounce, self.edges) = (line, isHigh, bounce, edges)
    }

    package var polarity: LineSpec.Polarity { isHigh ? .activeHigh : .activeLow }

    /// Twice the longest bounce, in whole milliseconds: the next bounce may be longer than those seen.
    package func debounce(atLeast least: Duration) -> Duration {
        let whole = (2 * bounce.nanoseconds + 999_999) / 1_000_000
        return min(max(.milliseconds(whole), least), Self.longestDebounce)
    }
}
