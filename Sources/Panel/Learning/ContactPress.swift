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
