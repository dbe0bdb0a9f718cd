/// A file that is played into a call.
public struct Playback: Equatable, Codable, Sendable {
    /// The sequence number of the playback.
    public var number: UInt32
    public var call: CallID
    /// The file's name below the folder of files that may be played.
    public var file: String

    public init(number: UInt32, call: CallID, file: String) {
        (self.number, self.call, self.file) = (number, call, file)
    }
}

/// How the playing of a file ended.
public enum PlaybackEnd: Equatable, Codable, Sendable {
    /// It was played to its end.
    case finished
    /// It was stopped, another one was requested, or the call was held or ended.
    case stopped
    /// It cannot be played, or not to its end. The text is for people.
    case failed(String)
}
