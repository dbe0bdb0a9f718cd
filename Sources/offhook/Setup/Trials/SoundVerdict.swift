import SoundCore

/// What a microphone brought in three seconds, in words.
package enum SoundVerdict: Equatable, Sendable {
    case heard
    case faint
    case silence
    case tooLoud

    /// RMS in dBFS. A microphone that is switched off brings less, one in a quiet room more.
    private static let leastOfAll = -70.0
    /// Speech into a handset is louder.
    private static let leastOfSpeech = -45.0
    /// The peak at which samples are cut off.
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
        case .heard: "I heard you."
        case .faint: "I heard very little: is the microphone far away, or its level low? (alsamixer)"
        case .silence: "Silence: is the microphone muted, or another one? (alsamixer, offhook audio list)"
        case .tooLoud: "Too loud: it is cut off. Lower the microphone's level. (alsamixer)"
        }
    }
}
