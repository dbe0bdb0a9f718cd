/// A file that is played into a call.
public struct Playback: Equatable, Codable, Sendable {
    /// Which of all that were asked for: they are counted.
    public var number: UInt32
    public var call: CallID
    /// Its name below the folder of files that may be played.
    public var file: String

    public init(number: UInt32, call: CallID, file: String) {
        (self.number, self.call, self.file) = (number, call, file)
    }
}

/// How the playing of a file ended.
public enum PlaybackEnd: Equatable, Codable, Sendable {
    /// It was played to its end.
    case finished
    /// It was stopped, another one was wanted, or the call was held or over.
    case stopped
    /// It cannot be played, or not any further. The text is for people.
    case failed(String)
}
