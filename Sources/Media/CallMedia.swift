import Base
import Cryptography
import Glibc
import PhoneCore
import Platform
import Synchronization

/// The media of one call, from `connect` to `release`, or of one page that we send.
///
/// `@unchecked Sendable`: `voice` belongs to the audio thread and `rtcp` to the network thread, from the `add` command
/// until they pass on the `drop` command. `input` belongs to the thread that has the voice. Everything else is
/// immutable or in `port`. The registry keeps the call alive until both threads have released it, so no real-time
/// thread ever frees one.
final class CallMedia: @unchecked Sendable {
    /// The call or page that the media belong to.
    enum Owner: Equatable, Sendable {
        case call(CallID)
        /// A page to the group with this number.
        case page(UInt8)
    }

    let owner: Owner
    let port: CallPort

    /// Audio thread only.
    var voice: CallAudio
    /// Only for the thread that has the voice.
    var input: VoiceInput
    /// Network thread only.
    var rtcp: RTCPSession

    var handle: UInt32 { port.handle }
    var gauges: CallGauges { port.gauges }
    var local: LocalEndpoint { port.local }
    var sockets: MediaSockets { port.sockets }
    /// Our SSRC for as long as the call has media.
    var source: UInt32 { local.source.ssrc }
    var connectivity: Connectivity? { local.connectivity }

    init(
        owner: Owner, handle: UInt32, local: LocalEndpoint, negotiated: PreparedMedia, settings: MediaSettings
    ) throws(MediaError) {
        self.owner = owner
        port = CallPort(handle: handle, local: local, packetSamples: negotiated.packetSamples)
        let source = local.source.ssrc
        input = VoiceInput(negotiated)
        rtcp = RTCPSession(negotiated: negotiated, source: source, settings: settings, now: MonotonicClock.now())
        voice = try CallAudio(negotiated: negotiated, source: source, settings: settings)
    }
}

/// The sockets of a call, and the rings and figures that its threads share.
final class CallPort: Sendable {
    static let digitCapacity = 128
    static let heardCapacity = 512

    /// Number of the call in reports, which are plain bytes.
    let handle: UInt32
    let local: LocalEndpoint
    let gauges: CallGauges
    /// From the thread that has the voice to the audio thread: packets for the jitter buffer.
    let voice = VoiceRing()
    /// From the thread that has the voice to the network thread: headers for statistics, and multiplexed RTCP.
    let heard = SPSCRing<HeardPacket>(capacity: heardCapacity, filler: HeardPacket())
    let control = PacketRing<ReceivedControl>(isResident: false)
    /// From the control thread to the audio thread.
    let digits = SPSCRing<Digit>(capacity: digitCapacity, filler: .none)

    var sockets: MediaSockets { local.sockets }
    /// The call's ICE for the real-time threads, which borrow it.
    var borrowedConnectivity: Borrowed<Connectivity>? { local.connectivity.map { Borrowed($0) } }

    init(handle: UInt32, local: LocalEndpoint, packetSamples: Int) {
        self.handle = handle
        self.local = local
        gauges = CallGauges(packetSamples: packetSamples)
    }

    /// Sends a packet from the voice's socket: on ICE's path, if there is one, or to the far end's address. Voice is
    /// for the audio thread, reports are for the network thread.
    /// - Returns: The error number, if it was not sent.
    func send(_ packet: Span<UInt8>, _ terms: PreparedMedia, isReport: Bool) -> Int32? {
        var peer = terms.voice
        if let known = gauges.latchedPort(of: terms.addressNumber) { peer.port = known }
        guard let path = terms.path else { return sockets.send(packet, on: sockets.voice, to: peer) }
        guard path.isRelayed, let connectivity = borrowedConnectivity else {
            return sockets.send(packet, on: sockets.descriptor(at: path.local), to: peer, from: path.local)
        }
        return connectivity.use { $0.relay(packet, isReport: isReport) } ? nil : ENOBUFS
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

/// A message from the audio thread to the network thread.
enum NetworkOrder: BitwiseCopyable, Sendable {
    case call(CallCommand)
    /// The network thread has the call's voice again.
    ///
    /// The voice is `CallMedia.input` and everything that it reads and fills. One thread has it at any time, and only
    /// that thread reads the socket; what arrives meanwhile waits in the kernel. The network thread has it from `add`
    /// on. It lends it to the audio thread once the call is active and `VoiceInput.isReady`. The audio thread answers
    /// each loan with this message: at once if the call does not allow the loan any more, before it passes on terms
    /// that do not, for the first packet of an SSRC, or before `drop`. The network thread reports a call as dropped
    /// only when it has the voice.
    case voice(Borrowed<CallMedia>)
}

/// Keeps calls and their terms alive for the real-time threads, which only borrow them.
///
/// The control thread adds calls. The event forwarder removes them when the last real-time thread has released them.
/// Neither thread is real-time, so a lock is allowed.
final class CallRegistry: Sendable {
    private struct Entry: Sendable {
        let call: CallMedia
        var negotiated: [PreparedMedia]
        /// The control thread has released the call; Media posts no more of its events.
        var isReleased = false
    }

    private let entries = Mutex<[UInt32: Entry]>([:])

    var count: Int { entries.withLock { $0.count } }

    func enter(_ call: CallMedia, _ negotiated: PreparedMedia) {
        entries.withLock { $0[call.handle] = Entry(call: call, negotiated: [negotiated]) }
    }

    func add(_ negotiated: PreparedMedia, to handle: UInt32) {
        entries.withLock { $0[handle]?.negotiated.append(negotiated) }
    }

    func release(_ handle: UInt32) { entries.withLock { $0[handle]?.isReleased = true } }

    /// The call of a report's handle. Nil once the control thread has released it.
    func call(_ handle: UInt32) -> CallID? {
        if case .call(let id) = owner(handle) { id } else { nil }
    }

    /// The group of the page of a report's handle. Nil once the control thread has released it.
    func page(_ handle: UInt32) -> UInt8? {
        if case .page(let group) = owner(handle) { group } else { nil }
    }

    private func owner(_ handle: UInt32) -> CallMedia.Owner? {
        entries.withLock { entries in
            guard let entry = entries[handle], !entry.isReleased else { return nil }
            return entry.call.owner
        }
    }

    /// Removes the older terms of a call, because every thread now uses the terms `number`.
    func settle(_ handle: UInt32, on number: UInt32) {
        let old = entries.withLock { entries in
            let old = entries[handle]?.negotiated.filter { $0.number < number }
            entries[handle]?.negotiated.removeAll { $0.number < number }
            return old
        }
        // The old terms are freed here, outside the lock, because freeing wipes their keys.
        _ = consume old
    }

    /// Removes a call that no thread uses any more: closes its sockets and wipes its keys.
    func remove(_ handle: UInt32) {
        let entry = entries.withLock { $0.removeValue(forKey: handle) }
        _ = consume entry
    }

    /// Removes all calls when Media closes. The threads have ended by then.
    func removeAll() {
        let all = entries.withLock { entries in
            defer { entries = [:] }
            return entries
        }
        _ = consume all
    }
}

/// This phone's end of a call's media.
struct LocalEndpoint: Sendable {
    let sockets: MediaSockets
    /// The SSRC and CNAME of our packets, for as long as the call has media.
    let source: MediaSource
    /// Nil: the call does not use ICE.
    var connectivity: Connectivity?
    /// The DTLS certificate of this call only. Nil: the call uses the phone's certificate.
    var certificate: DTLSContext?

    /// This end, as we describe it in the call's SDP.
    func endpoint(ice: LocalICE? = nil) -> MediaEndpoint {
        MediaEndpoint(port: sockets.port, ice: ice, fingerprint: certificate?.fingerprint, source: source)
    }
}
