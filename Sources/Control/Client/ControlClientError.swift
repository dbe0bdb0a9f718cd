import JSON
import Platform

/// Why the client got no answer from the phone.
public enum ControlClientError: Error, Equatable, Sendable {
    /// No program answers at this path, with the reason.
    case unreachable(path: String, why: String)
    /// This user may not use the phone's socket.
    case notPermitted(path: String)
    case timedOut
    /// The phone closed the connection.
    case closed
    /// The phone rejected the request: a stable word, a sentence, and further details.
    case refused(code: String, message: String, data: JSONValue)
    /// The answering program does not use this protocol.
    case malformed(String)
    /// The caller left so many events unread that some would have been lost.
    case tooManyEvents
    /// A system call failed.
    case system(call: String, errno: Int32)
}

extension ControlClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let path, let why): "no phone answers on \(path): \(why)"
        case .notPermitted(let path):
            "this user may not use the phone at \(path); run the command as root, or as user offhook "
                + "(runuser -u offhook -- …)"
        case .timedOut: "the phone did not answer in time"
        case .closed: "the phone closed the connection"
        case .refused(let code, let message, let data):
            if let reason = data["reason"]?.string { "\(message) (\(code): \(reason))" } else { "\(message) (\(code))" }
        case .malformed(let why): "the program that answers is no phone: \(why)"
        case .tooManyEvents: "too many events are unread"
        case .system(let call, let errno): "\(call): \(SystemError.text(errno))"
        }
    }
}
