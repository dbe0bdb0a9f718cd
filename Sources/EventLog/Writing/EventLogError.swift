/// Why a recording cannot go on. The phone does.
public enum EventLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A value that JSON cannot express, and why.
    case unwritable(String)
    /// What was redacted is no value of its kind any more, and why.
    case unredactable(String)
    case lineTooLong(bytes: Int)

    public var description: String {
        switch self {
        case .unwritable(let why): "an event cannot be written: \(why)"
        case .unredactable(let why): "an event cannot be redacted: \(why)"
        case .lineTooLong(let bytes):
            "an event takes \(bytes) bytes, and a line at most \(EventLogFormat.longestLine)"
        }
    }
}
