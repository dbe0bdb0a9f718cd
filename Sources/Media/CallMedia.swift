import Base
import PhoneCore
import Platform

/// The media of one call, from `connect` to `release`, or of one page that we send: its sockets, rings, codec and keys.
///
/// `@unchecked Sendable`: `voice` belongs to the audio thread and `rtp` to the network thread, from the `add` command
/// until they pass on the `drop` command. Everything else is immutable, atomic or a ring. The registry keeps the call
/// alive until both threads have released it, so no real-time thread ever frees one.
final class CallMedia: @unchecked Sendable {
    static let digitCapacity = 128

    /// The call or page that the media belong to.
    enum Owner: Equatable, Sendable {
        case call(CallID)
        /// A page to the group with this number.
        case page(UInt8)
    }

    let owner: Owner
    /// Number of the call in reports, which are plain bytes.
    let handle: UInt32
    let local: LocalEndpoint
    let gauges = CallGauges()
    /// Packets of voice, from the network thread to the audio thread.
    let rxQueue = VoiceRing()
    /// Whole RTP packets in clear, from the audio thread to the network thread.
    let txQueue = VoiceRing()
    let digits = SPSCRing<Digit>(capacity: digitCapacity, filler: .none)

    /// Audio thread only.
    var voice: CallAudio
    /// Network thread only.
    var rtp: RTPSession

    var sockets: MediaSockets { local.sockets }
    /// Our SSRC for as long as the call has media.
    var source: UInt32 { local.source.ssrc }
    var connectivity: Connectivity? { local.connectivity }
    /// `connectivity` for the network thread, which borrows it.
    var borrowedConnectivity: Borrowed<Connectivity>? { connectivity.map { Borrowed($0) } }

    init(
        owner: Owner, handle: UInt32, local: LocalEndpoint, negotiated: PreparedMedia, settings: MediaSettings
    ) throws(MediaError) {
        self.owner = owner
        self.handle = handle
        self.local = local
        let source = local.source.ssrc
        rtp = RTPSession(negotiated: negotiated, source: source, settings: settings, now: MonotonicClock.now())
        voice = try CallAudio(negotiated: negotiated, source: source, settings: settings)
    }
}

/// A change to a call. Each command goes from the control thread to the audio thread and then to the network thread.
/// The network thread reports `agree` and `drop` to the event forwarder. By then no real-time thread uses what
/// the command replaced.
enum CallCommand: BitwiseCopyable, Sendable {
    case add(Borrowed<CallMedia>)
    case activate(Borrowed<CallMedia>)
    case agree(Borrowed<CallMedia>, Borrowed<PreparedMedia>)
    case drop(Borrowed<CallMedia>)
}
