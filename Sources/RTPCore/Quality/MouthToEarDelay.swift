/// The delay of the voice from mouth to ear, as far as this end knows it.
public struct MouthToEarDelay: Equatable, Sendable {
    /// The round trip through the network; nil before it was measured.
    public var roundTrip: Duration?
    /// The delay from a microphone into a packet: a period of the device plus the packet's length. The far end's delay
    /// is assumed to be the same.
    public var capture: Duration
    /// The delay in the jitter buffer.
    public var buffer: Duration
    /// The delay after the jitter buffer: the sound that waits in the sound device.
    public var playback: Duration

    public init(roundTrip: Duration?, capture: Duration, buffer: Duration, playback: Duration) {
        self.roundTrip = roundTrip
        self.capture = capture
        self.buffer = buffer
        self.playback = playback
    }

    /// The delay that this end adds to the network's delay, in both directions (RFC 3611 §4.7.3).
    public var endSystem: Duration { capture + buffer + playback }

    /// The delay in one direction. It uses half of the round trip, because one clock alone cannot measure one
    /// direction.
    public var mouthToEar: Duration { (roundTrip ?? .zero) / 2 + endSystem }
}
