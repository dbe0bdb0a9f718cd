import Base
import PhoneCore
import Platform
import SoundCore
import Synchronization

/// Values that the parts of the audio thread share.
struct AudioContext: Sendable {
    let reports: ThreadQueue<Report>
    let probe: ThreadProbe
    let counters: MediaCounters
    let volume: VolumeControl
    let tones: ToneTable
    /// For calls whose voice the audio thread has.
    let voice: VoiceContext
    /// Raised when a recording ends.
    let recorderWake: WakeSignal
    /// Raised when a played file ends.
    let playerWake: WakeSignal

    init(
        reports: ThreadQueue<Report>, probe: ThreadProbe, counters: MediaCounters, volume: VolumeControl,
        tones: ToneTable, networkWake: WakeSignal, recorderWake: WakeSignal, playerWake: WakeSignal
    ) {
        (self.reports, self.probe, self.counters) = (reports, probe, counters)
        (self.volume, self.tones) = (volume, tones)
        voice = VoiceContext(reports: reports, counters: counters, networkWake: networkWake, opensNewSources: false)
        (self.recorderWake, self.playerWake) = (recorderWake, playerWake)
    }

    func tell(_ report: Report) {
        if !reports.send(report) { counters.messagesLost.count() }
    }
}

/// The volumes of calls and of the ring for the local user, and whether calls are paused. The control thread sets them;
/// the threads that play read them. They are not messages, because only the newest value counts and none may be lost.
final class VolumeControl: Sendable {
    /// The call volume at which the gain is 0 dB.
    private static let unchanged = 7
    /// The ring volume at which the gain is 0 dB. It is the highest, because rings are generated loud.
    private static let unchangedRing = PhoneSettings.loudest
    private static let decibelsPerStep = 3.0

    private let isPaused = Atomic<Bool>(false)
    private let callVolume = Atomic<Int>(PhoneSettings().callVolume)
    private let ringVolume = Atomic<Int>(PhoneSettings().ringVolume)

    func pause(_ isPaused: Bool) { self.isPaused.store(isPaused, ordering: .relaxed) }

    /// - Precondition: 0...`PhoneSettings.loudest`.
    func set(_ kind: VolumeKind, _ volume: Int) {
        precondition((0...PhoneSettings.loudest).contains(volume), "a volume is 0 to \(PhoneSettings.loudest)")
        switch kind {
        case .call: callVolume.store(volume, ordering: .relaxed)
        case .ring: ringVolume.store(volume, ordering: .relaxed)
        }
    }

    /// The gain of calls at the earpiece.
    var playback: Float {
        isPaused.load(ordering: .relaxed) ? GainRamp.closed : pages
    }

    /// The gain of pages, which are as loud as calls. Pages play while they pause calls.
    var pages: Float { Self.gain(callVolume.load(ordering: .relaxed), above: Self.unchanged) }

    /// The gain of the ringer.
    var ringer: Float { Self.gain(ringVolume.load(ordering: .relaxed), above: Self.unchangedRing) }

    /// The gain of everything that far ends hear: the microphone, played files, and each other.
    var farEnds: Float { isPaused.load(ordering: .relaxed) ? GainRamp.closed : GainRamp.open }

    private static func gain(_ volume: Int, above unchanged: Int) -> Float {
        volume > 0 ? Float(Decibels.gain(Double(volume - unchanged) * decibelsPerStep)) : GainRamp.closed
    }
}

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
    let notes = SoundProbe.notes

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
