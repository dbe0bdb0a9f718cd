import Base
import PhoneCore
import Platform

/// One call's media from `connect` to `release`: its sockets, rings, codec and keys.
///
/// `@unchecked Sendable`: `voice` belongs to the audio thread and `desk` to the network thread, from the `add` command
/// until they pass on the `drop` command; everything else is immutable, atomic or a ring. The registry keeps the call
/// alive until both have let go, so no real-time thread ever frees one.
final class CallMedia: @unchecked Sendable {
    static let digitCapacity = 128

    let id: CallID
    /// Names the call in reports, where a number must do.
    let handle: UInt32
    /// Our SSRC for as long as the call has media.
    let source: UInt32
    let sockets: MediaSockets
    let gauges = CallGauges()
    /// From the network thread to the audio thread.
    let rxQueue = PacketRing()
    /// From the audio thread to the network thread: whole RTP packets, in clear.
    let txQueue = PacketRing()
    let digits = SPSCRing<Digit>(capacity: digitCapacity, filler: .none)

    /// Audio thread only.
    var voice: CallAudio
    /// Network thread only.
    var rtp: RTPSession

    init(
        id: CallID, handle: UInt32, source: UInt32, sockets: MediaSockets, negotiated: PreparedMedia,
        settings: MediaSettings
    ) throws(MediaError) {
        self.id = id
        self.handle = handle
        self.source = source
        self.sockets = sockets
        rtp = RTPSession(negotiated: negotiated, source: source, settings: settings, now: MonotonicClock.now())
        voice = try CallAudio(negotiated: negotiated, source: source, settings: settings)
    }
}

/// What becomes of a call. Each command goes control → audio → network → event forwarder, in order: when the event forwarder sees it
/// nobody before it uses what it replaced.
enum CallCommand: BitwiseCopyable, Sendable {
    case add(Borrowed<CallMedia>)
    case activate(Borrowed<CallMedia>)
    case agree(Borrowed<CallMedia>, Borrowed<PreparedMedia>)
    case drop(Borrowed<CallMedia>)
    /// Nothing but a sign of life from each thread on the way.
    case probe(UInt32)
}
