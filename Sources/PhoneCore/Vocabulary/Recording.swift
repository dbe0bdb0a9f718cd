/// How the recording of a call ended.
public enum RecordingEnd: Equatable, Codable, Sendable {
    /// It was stopped, or the call was over.
    case stopped
    /// It reached the maximum length of recordings.
    case tooLong
    /// It could not begin or continue. What was written before is still a valid file. The text is for people.
    case failed(String)
}
