import Base

/// Detects a running device that has moved nothing for too long, and is broken.
///
/// Only the time counts in which the audio thread watched the device. While the whole thread was stalled, even between
/// reading the clock and querying the device, nothing is known about the device.
///
/// Cost: O(1), no allocation.
public struct DeviceTimeout: Sendable {
    /// A device that moves nothing for this long is broken.
    private static let limit = Duration.seconds(1)
    /// Each check counts for at most this much time before it. The audio thread checks a silent device ten times a
    /// second.
    private static let longestLook = Duration.milliseconds(200)

    /// When the device last moved samples, or was adopted.
    public private(set) var progress = Instant.zero
    private var looked = Instant.zero
    private var idle = Duration.zero

    public init() {}

    /// The device moved samples, or starts again.
    public mutating func progress(at now: Instant) { (progress, looked, idle) = (now, now, .zero) }

    /// The device was checked and had moved nothing.
    /// - Returns: Whether it is broken.
    public mutating func isOver(at now: Instant) -> Bool {
        idle += min(now - looked, Self.longestLook)
        looked = now
        return idle > Self.limit
    }
}
