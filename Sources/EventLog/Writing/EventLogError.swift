/// Why an event log cannot continue. The phone continues.
public enum EventLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// JSON cannot express a value; the text says why.
    case unwritable(String)
    /// A redacted value is not a valid value of its kind any more; the text says why.
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
