/// The playback of a file. Only one is possible at a time.
enum CallPlayback: Equatable, Codable, Sendable {
    /// It is not known yet whether the file can be played.
    case opening(Playback)
    case playing(Playback)

    var playback: Playback {
        switch self {
        case .opening(let playback), .playing(let playback): playback
        }
    }
}
