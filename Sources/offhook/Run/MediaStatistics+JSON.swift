import Control
import JSON
import Media
import SoundCore

extension MediaStatistics {
    /// How loud the microphone and the playback device are, in dB below full scale; null while they are silent.
    var levels: JSONValue { ["microphone": Self.decibels(captureLevel), "playback": Self.decibels(playbackLevel)] }

    private static func decibels(_ level: Int) -> JSONValue {
        level > 0 ? .integer(Int64(Decibels.level(Double(level) / 32_768).rounded())) : nil
    }
}
