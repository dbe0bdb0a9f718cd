import Control
import JSON
import Media
import SoundCore

extension MediaStatistics {
    /// The levels of microphone and playback device, in dB relative to full scale; null for silence.
    var levels: JSONValue { ["microphone": Self.decibels(captureLevel), "playback": Self.decibels(playbackLevel)] }

    private static func decibels(_ level: Int) -> JSONValue {
        level > 0 ? .integer(Int64(Decibels.level(Double(level) / 32_768).rounded())) : nil
    }
}
