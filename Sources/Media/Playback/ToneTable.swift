import Base
import PhoneCore
import SoundCore

/// All tones, prepared in advance, so that the audio thread only looks them up.
struct ToneTable: Sendable {
    /// Duration and level of the click that the local user hears for a key.
    private static let clickMilliseconds: UInt32 = 80
    private static let clickLevel: Float = -20
    /// Duration of a digit sent in-band, where the far end accepts no events.
    private static let digitMilliseconds = UInt32(DTMFTiming.event.milliseconds)

    /// Indexed by `Tone.number`, `DTMFSymbol.rawValue` and event code.
    private let tones: [ToneSpec]
    private let clicks: [ToneSpec]
    private let digits: [ToneSpec]
    /// The tones of the test of microphone and loudspeaker.
    let notes = SoundCheck.notes

    init(_ country: ToneCountry) {
        let plan = country.plan
        tones = Tone.allCases.map { plan[$0.callTone] }
        clicks = DTMFSymbol.allCases.map { Self.key($0, Self.clickMilliseconds, level: Self.clickLevel) }
        digits = DTMFSymbol.allCases.map { Self.key($0, Self.digitMilliseconds, level: ToneSpec.usualLevel) }
    }

    func tone(_ number: Int) -> ToneSpec { tones[number] }
    func click(_ symbol: UInt8) -> ToneSpec { clicks[Int(symbol)] }
    func digit(_ symbol: UInt8) -> ToneSpec { digits[Int(symbol)] }

    private static func key(_ symbol: DTMFSymbol, _ milliseconds: UInt32, level: Float) -> ToneSpec {
        guard let spec = ToneSpec(key: symbol.character, milliseconds: milliseconds, level: level) else {
            preconditionFailure("every symbol of the dial pad has its two frequencies")
        }
        return spec
    }
}

extension Tone {
    /// Index in `allCases`.
    var number: UInt8 {
        guard let index = Tone.allCases.firstIndex(of: self) else { preconditionFailure("every case is in allCases") }
        return UInt8(index)
    }

    var callTone: CallTone {
        switch self {
        case .dial: .dial
        case .stutterDial: .stutterDial
        case .ringback: .ringback
        case .busy: .busy
        case .congestion: .congestion
        case .callWaiting: .callWaiting
        case .specialInformation: .specialInformation
        case .howler: .howler
        }
    }
}
