import PhoneCore
import RTPCore
import SoundCore

/// What a call's voice is coded with, as the real-time threads need it.
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

    /// Samples of the phone's own format in a tick of the codec's RTP clock: 48 kHz, or 8.
    var samplesPerTick: Int {
        switch self {
        case .opus: 1
        case .telephone: TelephoneCodec.samplesPerOctet
        }
    }

    var clockRate: Int { SoundFormat.sampleRate / samplesPerTick }

    /// A lost packet is repaired from the one after it.
    var usesForwardCorrection: Bool { self == .opus }

    /// How many samples of the phone's own format a payload holds; nil if it is none.
    func samples(in payload: Span<UInt8>) -> Int? {
        switch self {
        case .opus: OpusDecoder.samples(in: payload)
        case .telephone:
            (1...TelephoneCodec.octetsPlayed).contains(payload.count)
                ? payload.count * TelephoneCodec.samplesPerOctet : nil
        }
    }

    /// How it invents sound for long.
    var concealment: ConcealmentFade.Concealment { self == .opus ? .lasting : .fading }

    /// How it suffers from loss.
    var robustness: EModel.Codec {
        switch self {
        case .opus: .opus
        case .telephone(.g711): .g711
        case .telephone(.g722): .g722
        }
    }
}
