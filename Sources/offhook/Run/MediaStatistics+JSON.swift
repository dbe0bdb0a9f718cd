import Control
import Glibc
import Media

extension MediaStatistics {
    /// How loud the microphone and the playback device are, in dB below full scale; null while they are silent.
    var levels: JSONValue { ["microphone": Self.decibels(captureLevel), "playback": Self.decibels(playbackLevel)] }

    private static func decibels(_ level: Int) -> JSONValue {
        level > 0 ? .integer(Int64((20 * log10(Double(level) / 32_768)).rounded())) : nil
    }
}
