import Base

/// Tells when a running device has moved nothing for too long, and is broken.
///
/// The time counts that the audio thread watched the device, not the time that passed: where the whole thread stood
/// still, even between reading the clock and asking the device, nothing is known about the device.
///
/// Cost: O(1), no allocation.
public struct DeviceTimeout: Sendable {
    /// A device that moves nothing for this long is broken.
    private static let limit = Duration.seconds(1)
    /// A look at the device vouches for at most this time before it. The audio thread looks at a silent device ten
    /// times a second.
    private static let longestLook = Duration.milliseconds(200)

    /// When the device last moved samples, or was adopted.
    public private(set) var progress = Instant.zero
    private var looked = Instant.zero
    private var idle = Duration.zero

    public init() {}

    /// The device moved samples, or begins anew.
    public mutating func progress(at now: Instant) { (progress, looked, idle) = (now, now, .zero) }

    /// The device was asked and had moved nothing.
    /// - Returns: Whether it is broken.
    public mutating func isOver(at now: Instant) -> Bool {
        idle += min(now - looked, Self.longestLook)
        looked = now
        return idle > Self.limit
    }
}
