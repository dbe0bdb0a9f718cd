/// Extends a counter that wraps on the wire to one that does not wrap.
///
/// Each wire value means the extended value nearest to the newest one so far. So reordering up to half the range in
/// either direction is handled (RFC 3550 §A.1, RFC 3711 §3.3.1). Cost: O(1), no allocation.
public struct ExtendedCounter<Wire: FixedWidthInteger & UnsignedInteger & Sendable>: Equatable, Sendable {
    /// The largest extended value seen. Starts as the first wire value; earlier ones may be negative.
    public private(set) var newest: Int64

    public init(first: Wire) { newest = Int64(first) }

    /// The extended value of `wire`, which becomes the newest if it is ahead.
    public mutating func extend(_ wire: Wire) -> Int64 {
        let value = Self.nearest(to: newest, wire: wire)
        newest = max(newest, value)
        return value
    }

    /// How often the wire value has wrapped since the start: the rollover counter of RFC 3711.
    public var rollovers: Int64 { newest >> Int64(Wire.bitWidth) }

    /// The extended value nearest to `reference` whose lower bits are `wire`.
    public static func nearest(to reference: Int64, wire: Wire) -> Int64 {
        reference &+ distance(from: Wire(truncatingIfNeeded: reference), to: wire)
    }

    /// How far `later` is ahead of `earlier` in the shorter direction around the range; negative when it is behind.
    public static func distance(from earlier: Wire, to later: Wire) -> Int64 {
        let shift = Int64(64 - Wire.bitWidth)
        return (Int64(truncatingIfNeeded: later &- earlier) << shift) >> shift
    }
}

public typealias ExtendedSequence = ExtendedCounter<UInt16>
public typealias ExtendedTimestamp = ExtendedCounter<UInt32>
