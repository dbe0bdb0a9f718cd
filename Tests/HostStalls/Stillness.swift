/// How a machine kept time while a test ran on it.
public struct Stillness: Sendable, CustomStringConvertible {
    /// Above it a test shows more about the machine than about the phone. An idle machine loses less than a hundredth;
    /// one that shares its processors with another has lost a third of a call.
    private static let fitShare = 0.05

    /// How long the test ran.
    public let elapsed: Duration
    private let count: Int
    private let total: Duration
    private let longest: Duration

    /// - Parameters:
    /// - count: how often one of its processors overslept, and how much altogether and at most.
    public init(count: Int, total: Duration, longest: Duration, elapsed: Duration) {
        self.count = count
        self.total = total
        self.longest = longest
        self.elapsed = elapsed
    }

    /// - Parameter stalls: each oversleep of each of its processors.
    public init(stalls: [Duration], elapsed: Duration) {
        self.init(
            count: stalls.count, total: stalls.reduce(.zero, +), longest: stalls.max() ?? .zero, elapsed: elapsed)
    }

    /// Whether it stalled at all.
    public var isThere: Bool { count > 0 }

    /// Whether it stalled for so much of the time that real-time tests on it are meaningless.
    public var isUnfit: Bool { total / elapsed > Self.fitShare }

    public var description: String {
        "\(count) times, \(Self.seconds(total)) of \(Self.seconds(elapsed)), \(Self.seconds(longest)) at most"
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        return "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst()) s"
    }
}
