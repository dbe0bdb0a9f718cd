/// The one file that may be played at a time.
enum CallPlayback: Equatable, Codable, Sendable {
    /// Whether it can be played is not known yet.
    case opening(Playback)
    case playing(Playback)

    var playback: Playback {
        switch self {
        case .opening(let playback), .playing(let playback): playback
        }
    }
}
