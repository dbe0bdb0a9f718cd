import JSON
import PhoneCore

/// Why a request failed, in the form of the wire. The number of JSON-RPC 2.0 §5.1 is for programs that know only those.
/// A stable word (`data.code`) is for programs that know Offhook, and a sentence for people.
public struct RPCError: Error, Equatable, Sendable {
    public enum Number: Int64, CaseIterable, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        /// The request was valid, but the phone's state, its line or the far end rejected it.
        case actionFailed = -32000
        /// A limit of this interface.
        case limit = -32001
        case notAllowed = -32002
        case panel = -32003
    }

    public let word: ErrorWord
    public let message: String
    /// Further members of `data`.
    public let details: [String: JSONValue]

    public init(_ word: ErrorWord, _ message: String, details: [String: JSONValue] = [:]) {
        (self.word, self.message, self.details) = (word, message, details)
    }

    var json: JSONValue {
        var data = details
        data["code"] = .string(word.rawValue)
        return ["code": .integer(word.number.rawValue), "message": .string(message), "data": .object(data)]
    }
}

extension RPCError {
    static func parse(_ error: JSONError) -> RPCError { RPCError(.parseError, "not JSON: \(error)") }

    static func invalidRequest(_ why: String) -> RPCError { RPCError(.invalidRequest, why) }

    static func invalidParams(_ why: String) -> RPCError { RPCError(.invalidParams, why) }

    static func methodNotFound(_ name: String) -> RPCError {
        RPCError(.methodNotFound, "there is no method \(name.prefix(64))")
    }

    static func lineTooLong(_ limit: Int) -> RPCError {
        RPCError(.lineTooLong, "a line may have at most \(limit) bytes")
    }

    static func tooManyRequests(_ limit: Int) -> RPCError {
        RPCError(.tooManyRequests, "at most \(limit) requests may be unanswered at a time")
    }

    static func tooManyConnections(_ limit: Int) -> RPCError {
        RPCError(.tooManyConnections, "all \(limit) connections are in use")
    }

    static let cancelled = RPCError(.cancelled, "the program cancelled the request")
    static let noSuchContact = RPCError(.noSuchContact, "no contact has this number")
    static let hasNoVault = RPCError(.notSupported, "this phone has no vault")
    static let hasNoSetup = RPCError(.notSupported, "this phone does not support setup over this interface")

    static func notKept(_ why: String) -> RPCError { RPCError(.notKept, why) }

    static let noSuchRequest = RPCError(.noSuchRequest, "no request with this id is waiting on this connection")
    static let peerNotAllowed = RPCError(.peerNotAllowed, "this user may not control the phone")
    static let noSuchToken = RPCError(.noSuchToken, "no token has this label")
    static let subscribesByStream = RPCError(.notSupported, "use GET /events for events over HTTP")

    static func scopeTooSmall(_ needed: AccessScope) -> RPCError {
        RPCError(
            .scopeTooSmall, "this needs a token with the scope \(needed.rawValue)",
            details: ["scope": .string(needed.rawValue)])
    }

    static let panelIsReal = RPCError(
        .panelIsReal, "the panel is real; programs can operate only a simulated panel")

    static func panelRefused(_ refusal: PanelRefusal) -> RPCError { RPCError(.panelRefused, refusal.message) }

    static func failed(_ failure: ActionFailure) -> RPCError {
        RPCError(failure.word, failure.sentence, details: failure.details)
    }
}
