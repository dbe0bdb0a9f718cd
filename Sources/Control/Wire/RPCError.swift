import PhoneCore

/// Why a request was not done, as it goes over the wire: the number of JSON-RPC 2.0 §5.1 for programs that know only
/// those, a stable word (`data.code`) for programs that know Offhook, and a sentence for people.
public struct RPCError: Error, Equatable, Sendable {
    public enum Number: Int64, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        /// The request was understood, but the phone's state, its line or the far end refused it.
        case actionFailed = -32000
        /// A limit of this interface.
        case limit = -32001
        case notAllowed = -32002
        case panel = -32003
    }

    public let number: Number
    public let code: String
    public let message: String
    /// Further members of `data`.
    public let details: [String: JSONValue]

    public init(_ number: Number, code: String, message: String, details: [String: JSONValue] = [:]) {
        self.number = number
        self.code = code
        self.message = message
        self.details = details
    }

    var json: JSONValue {
        var data = details
        data["code"] = .string(code)
        return ["code": .integer(number.rawValue), "message": .string(message), "data": .object(data)]
    }
}

extension RPCError {
    static func parse(_ error: JSONError) -> RPCError {
        RPCError(.parseError, code: "parseError", message: "not JSON: \(error)")
    }

    static func invalidRequest(_ why: String) -> RPCError {
        RPCError(.invalidRequest, code: "invalidRequest", message: why)
    }

    static func invalidParams(_ why: String) -> RPCError {
        RPCError(.invalidParams, code: "invalidParams", message: why)
    }

    static func methodNotFound(_ name: String) -> RPCError {
        RPCError(.methodNotFound, code: "methodNotFound", message: "there is no method \(name.prefix(64))")
    }

    static func lineTooLong(_ limit: Int) -> RPCError {
        RPCError(.limit, code: "lineTooLong", message: "a line has at most \(limit) bytes")
    }

    static func tooManyRequests(_ limit: Int) -> RPCError {
        RPCError(.limit, code: "tooManyRequests", message: "at most \(limit) requests may be unanswered at a time")
    }

    static func tooManyConnections(_ limit: Int) -> RPCError {
        RPCError(.limit, code: "tooManyConnections", message: "all \(limit) connections are in use")
    }

    static let cancelled = RPCError(.actionFailed, code: "cancelled", message: "the program asked no longer")
    static let noSuchContact = RPCError(
        .actionFailed, code: "noSuchContact", message: "no contact has this number")
    static let hasNoVault = RPCError(.actionFailed, code: "notSupported", message: "this phone keeps nothing")

    static let hasNoSetup = RPCError(
        .actionFailed, code: "notSupported", message: "this phone is not set up from here")

    static func notKept(_ why: String) -> RPCError { RPCError(.actionFailed, code: "notKept", message: why) }

    static let noSuchRequest = RPCError(
        .actionFailed, code: "noSuchRequest", message: "no request of this connection with that id waits")
    static let peerNotAllowed = RPCError(
        .notAllowed, code: "peerNotAllowed", message: "this user may not control the phone")
    static let noSuchToken = RPCError(.actionFailed, code: "noSuchToken", message: "no token has this label")
    static let subscribesByStream = RPCError(
        .actionFailed, code: "notSupported", message: "over HTTP events come by GET /events")

    static func scopeTooSmall(_ needed: AccessScope) -> RPCError {
        RPCError(
            .notAllowed, code: "scopeTooSmall", message: "this needs a token of the scope \(needed.rawValue)",
            details: ["scope": .string(needed.rawValue)])
    }

    static let panelIsReal = RPCError(
        .panel, code: "panelIsReal", message: "the panel is real; only a simulated panel can be operated from here")

    static func panelRefused(_ refusal: PanelRefusal) -> RPCError {
        RPCError(.panel, code: "panelRefused", message: refusal.message)
    }

    static func failed(_ failure: ActionFailure) -> RPCError {
        RPCError(.actionFailed, code: failure.code, message: failure.sentence, details: failure.details)
    }
}
