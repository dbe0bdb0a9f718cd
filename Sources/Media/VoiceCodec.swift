import PhoneCore
import RTPCore
import SoundCore

/// The codec of a call's voice, in the form that the real-time threads need.
enum VoiceCodec: Equatable, BitwiseCopyable, Sendable {
    case opus
    case telephone(TelephoneCodec)

    init(_ name: AudioCodec) {
        switch name {
        case .opus: self = .opus
        case .g722: self = .telephone(.g722)
        case .pcma: self = .telephone(.g711(.a))
        case .pcmu: self = .telephone(.g711(.mu))
        }
    }

    /// Samples of the phone's own format per tick of the codec's RTP clock, which runs at 48 or 8 kHz.
    var samplesPerTick: Int {
        switch self {
        case .opus: 1
        case .telephone: TelephoneCodec.samplesPerOctet
        }
    }

    var clockRate: Int { SoundFormat.sampleRate / samplesPerTick }

    /// A lost packet can be repaired from the packet after it.
    var usesForwardCorrection: Bool { self == .opus }

    /// Samples of the phone's own format in a payload; nil for an invalid payload.
    func samples(in payload: Span<UInt8>) -> Int? {
        switch self {
        case .opus: OpusDecoder.samples(in: payload)
        case .telephone:
            (1...TelephoneCodec.octetsPlayed).contains(payload.count)
                ? payload.count * TelephoneCodec.samplesPerOctet : nil
        }
    }

    /// How the codec conceals long losses.
    var concealment: ConcealmentFade.Concealment { self == .opus ? .lasting : .fading }

    /// How the codec suffers from packet loss, for the E-model.
    var robustness: EModel.Codec {
        switch self {
        case .opus: .opus
        case .telephone(.g711): .g711
        case .telephone(.g722): .g722
        }
    }
}

/// The codecs of the payload types under which a far end may send its voice.
///
/// It has a fixed size, so that the audio thread looks a type up without an allocation or a reference.
struct VoiceFormats: Equatable, Sendable {
    /// Room for four codecs, each under our payload type and under the far end's. Further types are ignored.
    private static let limit = 8

    private var types = InlineArray<8, UInt8>(repeating: 0)
    private var codecs = InlineArray<8, VoiceCodec>(repeating: .opus)
    private var count = 0

    init(_ payloadType: UInt8, _ codec: VoiceCodec) { add(payloadType, codec) }

    mutating func add(_ payloadType: UInt8, _ codec: VoiceCodec) {
        guard count < Self.limit, self.codec(of: payloadType) == nil else { return }
        types[count] = payloadType
        codecs[count] = codec
        count += 1
    }

    /// Nil for a type that is not voice.
    func codec(of payloadType: UInt8) -> VoiceCodec? {
        for index in 0..<count where types[index] == payloadType { return codecs[index] }
        return nil
    }

    func contains(_ codec: VoiceCodec) -> Bool {
        for index in 0..<count where codecs[index] == codec { return true }
        return false
    }

    /// Whether one of them is a telephone codec (G.711 or G.722).
    var haveTelephone: Bool {
        for index in 0..<count where codecs[index] != .opus { return true }
        return false
    }

    static func == (one: VoiceFormats, other: VoiceFormats) -> Bool {
        guard one.count == other.count else { return false }
        for index in 0..<one.count
        where one.types[index] != other.types[index] || one.codecs[index] != other.codecs[index] { return false }
        return true
    }
}
