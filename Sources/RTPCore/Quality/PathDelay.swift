/// How long a voice takes from one mouth to the other ear, as far as this end can know it.
public struct PathDelay: Equatable, Sendable {
    /// Through the network and back; nil before it was measured.
    public var roundTrip: Duration?
    /// From a microphone into a packet: a period of the device and the packet's length. The far end's is taken to be
    /// like ours.
    public var capture: Duration
    /// In the jitter buffer.
    public var buffer: Duration
    /// Behind it: what waits in the sound device.
    public var playback: Duration

    public init(roundTrip: Duration?, capture: Duration, buffer: Duration, playback: Duration) {
        self.roundTrip = roundTrip
        self.capture = capture
        self.buffer = buffer
        self.playback = playback
    }

    /// What our two directions add to the wire (RFC 3611 §4.7.3).
    public var endSystem: Duration { capture + buffer + playback }

    /// Half of the way there and back, which is all that one clock can tell of one way.
    public var mouthToEar: Duration { (roundTrip ?? .zero) / 2 + endSystem }
}
