import Base
import RTPCore
import SoundCore

/// A group's part on the audio thread. Allocates nothing after `init`.
struct PageAudio: ~Copyable {
    private var receiver: VoiceReceiver
    private var hearing = GainRamp(gain: GainRamp.closed)

    /// - Parameter codec: one of the group's codecs. A decoder allocates at its first use, so that happens here.
    init(_ payloadType: UInt8, _ codec: VoiceCodec, settings: MediaSettings) throws(MediaError) {
        var receiver = try VoiceReceiver(settings: settings)
        receiver.apply(VoiceFormats(payloadType, codec), beginningWith: codec)
        self.receiver = receiver
    }

    /// Prepares for a page with this payload type. It begins silent.
    mutating func begin(_ payloadType: UInt8, _ codec: VoiceCodec, _ rxQueue: borrowing VoiceRing) {
        receiver.apply(VoiceFormats(payloadType, codec), beginningWith: codec)
        receiver.restart(rxQueue)
        hearing = GainRamp(gain: GainRamp.closed)
    }

    /// Fills all of `output` with the sound that is due.
    mutating func render(
        into output: inout MutableSpan<Int16>, _ rxQueue: borrowing VoiceRing, _ burst: JitterBuffer.DeviceBurst,
        _ context: AudioContext, at now: Instant
    ) {
        receiver.render(from: rxQueue, into: &output, burst, context.counters, at: now)
        hearing.apply(context.volume.pages, to: &output)
    }
}
