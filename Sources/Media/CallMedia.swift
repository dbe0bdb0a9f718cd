import Base
import Cryptography
import PhoneCore
import Platform
import Synchronization

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
