/// Remembers whether missing packets arrive late, or never.
///
/// On a path with jitter most of them arrive a moment later; on a path that loses packets none do. Each late packet
/// counts for two lost ones, because a packet that comes out of order looks lost at first.
package struct LatePackets: Sendable {
    private static let weight = 2
    private static let most = 4

    private var score = 0

    package init() {}

    /// Whether the next missing packet is probably only late.
    package var areExpected: Bool { score > 0 }

    package mutating func cameLate() { score = min(score + Self.weight, Self.most) }
    package mutating func wasLost() { score = max(score - 1, 0) }
}
