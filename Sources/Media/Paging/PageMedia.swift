import Base
import PhoneCore
import RTPCore
import SoundCore
import Synchronization

/// One group of pages: its socket, ring and codecs. It lives as long as the media threads.
///
/// `@unchecked Sendable`: `audio` belongs to the audio thread and `reception` to the network thread. Everything else is
/// immutable, atomic, locked or a ring.
final class PageMedia: @unchecked Sendable {
    /// Its number, from 1. A lower number has priority.
    let number: UInt8
    let socket: PageSocket
    /// Packets of voice, from the network thread to the audio thread.
    let voice = VoiceRing()
    /// Written by the audio thread. While it is false, the network thread drops the page's voice.
    let isHeard = Atomic<Bool>(false)
    /// Written by the network thread: the payload type of the newest page.
    let payloadType: Atomic<UInt8>
    /// Written by the control thread: the SSRC of the last page that this phone sent to the group; 0: none.
    let ownSource = Atomic<UInt32>(0)
    /// The codecs by payload type.
    private let codecs: [UInt8: VoiceCodec]

    /// Audio thread only.
    var audio: PageAudio
    /// Network thread only.
    var reception: PageReception
    /// Network thread only: whether the last reported event is the page's beginning.
    var isTold = false

    init(_ number: UInt8, _ group: MediaSettings.PageGroup, settings: MediaSettings) throws(MediaError) {
        guard let address = TransportAddress(host: group.address, port: group.port) else {
            throw .badAddress(group.address)
        }
        self.number = number
        socket = try PageSocket(address)
        let codecs = group.codecs.mapValues { VoiceCodec($0) }
        guard let first = codecs.min(by: { $0.key < $1.key }) else { throw .badPlan("a group without codecs") }
        self.codecs = codecs
        payloadType = Atomic(first.key)
        audio = try PageAudio(first.key, first.value, settings: settings)
        let sources = group.sources.compactMap { IPAddress($0)?.unmapped }
        guard sources.count == group.sources.count else { throw .badPlan("a source of pages without an address") }
        reception = PageReception(timeout: settings.pageSilence, longest: group.longestHeard, sources: sources)
    }

    /// The codec of this payload type; nil for a type that the group does not use. Allocates nothing.
    func codec(of payloadType: UInt8) -> VoiceCodec? { codecs[payloadType] }
}

/// A group's part on the audio thread. Allocates nothing after `init`.
struct PageAudio: ~Copyable {
    private var playout: PlayoutPath<VoiceDecoder>
    private var hearing = GainRamp(gain: GainRamp.closed)

    /// - Parameter codec: one of the group's codecs. A decoder allocates at its first use, so that happens here.
    init(_ payloadType: UInt8, _ codec: VoiceCodec, settings: MediaSettings) throws(MediaError) {
        var playout = try PlayoutPath<VoiceDecoder>(settings: settings)
        playout.apply(VoiceFormats(payloadType, codec), beginningWith: codec)
        self.playout = playout
    }

    /// Prepares for a page with this payload type. It begins silent.
    mutating func begin(_ payloadType: UInt8, _ codec: VoiceCodec, _ packets: borrowing VoiceRing) {
        playout.apply(VoiceFormats(payloadType, codec), beginningWith: codec)
        playout.restart(packets)
        hearing = GainRamp(gain: GainRamp.closed)
    }

    /// Fills all of `output` with the sound that is due.
    mutating func render(
        into output: inout MutableSpan<Int16>, _ packets: borrowing VoiceRing, _ burst: JitterBuffer.DeviceBurst,
        _ context: AudioContext, at now: Instant
    ) {
        playout.render(from: packets, into: &output, burst, context.counters, at: now)
        hearing.apply(context.volume.pages, to: &output)
    }
}

/// The page that plays. The control thread selects it.
extension AudioEngine {
    mutating func hear(_ next: Borrowed<PageMedia>) {
        leavePage()
        next.use { next in
            let payloadType = next.payloadType.load(ordering: .acquiring)
            guard let codec = next.codec(of: payloadType) else { return }
            next.audio.begin(payloadType, codec, next.voice)
            next.isHeard.store(true, ordering: .releasing)
        }
        page = next
    }

    mutating func leavePage() {
        page?.use { $0.isHeard.store(false, ordering: .releasing) }
        page = nil
    }
}
