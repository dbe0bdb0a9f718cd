import PhoneCore
import RTPCore
import SoundCore

/// The codec of a call's voice, as the real-time threads need it.
enum VoiceCodec: Equatable, Sendable {
    case opus
    case telephone(TelephoneCodec)

    init(_ name: NegotiatedMedia.Codec.Name) {
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
