/// How the recording of a call ended.
public enum RecordingEnd: Equatable, Codable, Sendable {
    /// It was stopped, or the call was over.
    case stopped
    /// It was as long as recordings may be.
    case tooLong
    /// It could not be begun, or not go on; what was written until then is a file all the same. The text is for people.
    case failed(String)
}
