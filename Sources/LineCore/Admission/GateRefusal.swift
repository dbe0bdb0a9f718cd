import Base
import SIPCore

/// Why a message is not read. It helps to find out why a call does not arrive.
public enum GateRefusal: Equatable, Sendable {
    /// The sender is neither the account's server nor a listed peer.
    case stranger
    /// The message is about a call, but did not come over a flow of that call.
    case otherPath
    /// The account does not use this transport.
    case otherTransport
    /// The message is longer than the limit for unknown sources.
    case tooLong
    /// The sender is known, but the message has a fault that hides which call or request it belongs to.
    case unreadable(SIPParseError)
    /// A response with more than one Via is meant for a proxy (RFC 3261 §8.1.3.3).
    case forwarded
    /// The message names a request that went to another address, or over another connection.
    case otherSource

    /// The longest part of a method's name in a report, in bytes. The sender chooses the name and its length.
    private static let methodBytes = 32

    /// The refusal as a sentence for people.
    /// - Parameter method: Nil for a response, and for a message that was not read.
    public func text(_ method: SIPMethod?, from flow: Flow) -> String {
        let what = method.map { "a request \($0.name.shown(bytes: Self.methodBytes))" } ?? "a message"
        return
            "\(what) from \(flow.remote.host) port \(flow.remote.port) over \(flow.transport.name) was not read: \(why)"
    }

    private var why: String {
        switch self {
        case .stranger: "the sender is neither the account's server nor a listed peer"
        case .otherPath: "it belongs to a call that uses another path"
        case .otherTransport: "the account does not use this transport"
        case .tooLong: "it is too long for an unknown sender"
        case .unreadable(let error): error.sentence
        case .forwarded: "it has more than one Via, so it is meant for another program"
        case .otherSource: "it belongs to a request that used another address or connection"
        }
    }
}

extension SIPParseError {
    /// What is wrong with a message, for people.
    fileprivate var sentence: String {
        guard let header else { return "it is not a valid SIP message (\(kind) at byte \(offset))" }
        return switch kind {
        case .missing: "it has no \(header)"
        case .repeated: "it has more than one \(header)"
        default: "its \(header) cannot be read (\(kind) at byte \(offset))"
        }
    }
}
