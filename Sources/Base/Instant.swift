/// A point on the monotonic clock, in nanoseconds since an origin that only the clock's owner knows.
///
/// Cores receive instants and never read a clock; a test chooses its instants.
/// Range: ±292 years around the origin.
public struct Instant: Comparable, Hashable, Codable, Sendable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        nanoseconds = try container.decode(Int64.self)
        // Only half the range is accepted, so that adding a duration to a value from a file cannot overflow.
        guard (-(1 << 62)...(1 << 62)).contains(nanoseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "beyond the range of any clock")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }

    /// The origin: the start of simulated time.
    public static let zero = Instant(nanoseconds: 0)

    /// The earliest of the instants that are not nil; nil without one.
    public static func earliest(_ instants: Instant?...) -> Instant? {
        instants.lazy.compactMap(\.self).min()
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(nanoseconds: instant.nanoseconds + duration.nanoseconds)
    }

    public static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(nanoseconds: instant.nanoseconds - duration.nanoseconds)
    }

    public static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }
}

extension Duration {
    /// The whole duration in nanoseconds. Traps beyond 292 years; this program has no such duration.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The duration in milliseconds, for display and for measurements.
    public var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
}
