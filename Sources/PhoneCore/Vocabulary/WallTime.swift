/// A point on the wall clock: milliseconds since 1970-01-01 00:00 UTC, leap seconds not counted.
public struct WallTime: Comparable, Hashable, Sendable {
    public let unixMilliseconds: Int64

    public init(unixMilliseconds: Int64) { self.unixMilliseconds = unixMilliseconds }

    public static func < (left: WallTime, right: WallTime) -> Bool { left.unixMilliseconds < right.unixMilliseconds }
}
