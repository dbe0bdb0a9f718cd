import SoundCore

/// The verdict on three seconds of a microphone's signal.
package enum SoundVerdict: Equatable, Sendable {
    case heard
    case faint
    case silence
    case tooLoud

    /// RMS in dBFS. A muted microphone gives less, one in a quiet room more.
    private static let leastOfAll = -70.0
    /// Speech into a handset is louder than this.
    private static let leastOfSpeech = -45.0
    /// The peak at which samples clip.
    private static let full = -0.2

    /// - Parameter samples: At `SoundFormat.sampleRate`.
    package init(_ samples: [Int16]) {
        let window = SoundFormat.sampleRate / 5
        let levels = stride(from: 0, to: samples.count, by: window).map { start in
            Level(of: samples[start..<min(start + window, samples.count)].span)
        }
        let rms = levels.map(\.rms).max() ?? Decibels.floor
        let peak = levels.map(\.peak).max() ?? Decibels.floor
        self =
            if rms < Self.leastOfAll {
                .silence
            } else if peak > Self.full {
                .tooLoud
            } else if rms < Self.leastOfSpeech {
                .faint
            } else {
                .heard
            }
    }

    package var isGood: Bool { self == .heard }

    package var sentence: String {
        switch self {
        case .heard: "The microphone works."
        case .faint: "Very quiet: speak nearer to the microphone, or raise its level (alsamixer)."
        case .silence: "Silence: unmute the microphone (alsamixer), or choose another one (offhook audio list)."
        case .tooLoud: "Too loud, so the signal clips: lower the microphone's level (alsamixer)."
        }
    }
}
