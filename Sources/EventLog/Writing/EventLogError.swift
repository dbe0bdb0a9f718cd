/// Why an event log cannot continue. The phone continues.
public enum EventLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// JSON cannot express a value; the text says why.
    case unwritable(String)
    /// A redacted value is no longer a valid value of its kind; the text says why.
    case unredactable(String)
    case lineTooLong(bytes: Int)

    public var description: String {
        switch self {
        case .unwritable(let why): "cannot write an event: \(why)"
        case .unredactable(let why): "cannot redact an event: \(why)"
        case .lineTooLong(let bytes):
            "an event takes \(bytes) bytes; the limit is \(EventLogFormat.longestLine)"
        }
    }
}
