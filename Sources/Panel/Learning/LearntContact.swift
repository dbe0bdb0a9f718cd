import Base

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
