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

/// The stable words of `data.code`, with which programs tell errors apart. `ErrorWord.explanation` describes each, for
/// `docs/control.md` and the OpenRPC document.
public enum ErrorWord: String, CaseIterable, Sendable {
    // Invalid requests.
    case parseError, invalidRequest, methodNotFound, invalidParams
    // The phone, its state, its line or the far end rejected the request.
    case noSuchCall, wrongState, alreadyUnderWay, noRoom, invalidTarget, lineNotReady, refusedThere, notSupported
    case timedOut, callEnded, organizationSwitchFailed, fileFailed, shuttingDown
    // The backend.
    case signInFailed, notSignedIn, backendFailed
    // Waiting requests.
    case cancelled, noSuchRequest
    // The vault.
    case notKept, noSuchContact, noSuchToken
    // Setup.
    case busy, noDevice, deviceFailed, soundInUse, trialFailed, noSuchTrial, notPlanned, noSuchPlan, notWritten, inCall
    case accountInUse, wouldNotStart, notReloaded
    // Limits.
    case lineTooLong, tooManyRequests, tooManyConnections
    // Permissions.
    case peerNotAllowed, scopeTooSmall
    // A simulated panel.
    case panelIsReal, panelRefused
}

extension ErrorWord {
    /// Its JSON-RPC number.
    public var number: RPCError.Number {
        switch self {
        case .parseError: .parseError
        case .invalidRequest: .invalidRequest
        case .methodNotFound: .methodNotFound
        case .invalidParams: .invalidParams
        case .noSuchCall, .wrongState, .alreadyUnderWay, .noRoom, .invalidTarget, .lineNotReady, .refusedThere,
            .notSupported, .timedOut, .callEnded, .organizationSwitchFailed, .fileFailed, .shuttingDown, .cancelled,
            .noSuchRequest, .notKept, .noSuchContact, .noSuchToken, .busy, .noDevice, .deviceFailed, .soundInUse,
            .signInFailed, .notSignedIn, .backendFailed,
            .trialFailed, .noSuchTrial, .notPlanned, .noSuchPlan, .notWritten, .inCall, .accountInUse,
            .wouldNotStart, .notReloaded:
            .actionFailed
        case .lineTooLong, .tooManyRequests, .tooManyConnections: .limit
        case .peerNotAllowed, .scopeTooSmall: .notAllowed
        case .panelIsReal, .panelRefused: .panel
        }
    }

    /// Its meaning, as Markdown.
    public var explanation: String {
        switch self {
        case .parseError: "the line is not JSON"
        case .invalidRequest:
            "the JSON is no request, or the batch is empty or has more than \(RPCMessage.longestBatch) requests"
        case .methodNotFound: "there is no such method"
        case .invalidParams: "a parameter is wrong; the message says what was expected"
        case .noSuchCall: "the call does not exist, or `call` is missing and there are several"
        case .wrongState: "the phone's state does not allow this"
        case .alreadyUnderWay: "the same action is already in progress"
        case .noRoom: "there is no room for another call, or in setup for another trial"
        case .invalidTarget: "the target cannot be dialled"
        case .lineNotReady: "the account is not registered"
        case .refusedThere: "the far end rejected it"
        case .notSupported:
            "the phone is not configured for it, lacks a vault or backend, or the account's server does not support it"
        case .timedOut: "the action did not finish before its deadline"
        case .callEnded: "the call ended first; with `data.reason`, as above"
        case .organizationSwitchFailed:
            """
            with `data.reason`: `noOrganization`, `network`, `api` (`data.status`, and `data.text` of the backend), \
            `parse`, `timeout`, `credentialStore`, `connection`, `abandoned`
            """
        case .signInFailed:
            """
            with `data.reason`: `cancelled`, `denied`, `expired`, `identity`, `network`, `api` (`data.status`, \
            `data.text`), `parse`, `timeout`, `credentialStore`, `clockNotSet`
            """
        case .notSignedIn: "nobody has signed the phone in at its backend, or somebody has to sign it in again"
        case .backendFailed: "the backend did not answer as it should; `data.reason` as for `organizationSwitchFailed`"
        case .fileFailed: "a file cannot be used; the message names it and the reason"
        case .shuttingDown: "the phone is shutting down"
        case .cancelled: "`cancel` named this request, or its trial was cancelled"
        case .noSuchRequest: "`cancel` named a request that is not waiting, or belongs to another program"
        case .notKept: "the vault rejected it; the message says why"
        case .noSuchContact: "no contact has this number"
        case .noSuchToken: "no token has this label"
        case .busy: "another trial or change is under way"
        case .noDevice: "the route has no sound device, or the named one does not exist"
        case .deviceFailed: "the sound device does not work; the message says why"
        case .soundInUse: "the phone is using its sound devices"
        case .trialFailed: "the account could not be tried; the message says why"
        case .noSuchTrial: "the phone does not remember this trial"
        case .notPlanned: "the changes cannot be planned; the message says why"
        case .noSuchPlan: "the phone does not remember this plan"
        case .notWritten: "a file could not be written, or was changed since; the message names it and the reason"
        case .inCall: "there is a call, which a restart or this change would end"
        case .accountInUse:
            "the configuration names the account, or the account belongs to the sign-in; the message says which"
        case .wouldNotStart: "the phone would not start with its present files; the message says why"
        case .notReloaded: "the configuration has errors, so nothing changed; the message and `data.errors` list them"
        case .lineTooLong: "a line has at most 65,536 bytes; the connection is closed"
        case .tooManyRequests: "32 requests of this connection have no answer yet"
        case .tooManyConnections: "all 16 connections are in use; the connection is closed"
        case .peerNotAllowed: "the user may not control the phone; the connection is closed"
        case .scopeTooSmall: "the token's scope is too small; `data.scope` has the needed one"
        case .panelIsReal: "the panel is real; programs can operate only a simulated one"
        case .panelRefused: "the simulated panel has no such key or line"
        }
    }
}

extension ActionFailure {
    /// The stable word for programs.
    var word: ErrorWord {
        switch self {
        case .noSuchCall: .noSuchCall
        case .wrongState: .wrongState
        case .alreadyUnderWay: .alreadyUnderWay
        case .noRoom: .noRoom
        case .invalidTarget: .invalidTarget
        case .lineNotReady: .lineNotReady
        case .refusedThere: .refusedThere
        case .soundInUse: .soundInUse
        case .notSupported: .notSupported
        case .timedOut: .timedOut
        case .callEnded: .callEnded
        case .organisation: .organizationSwitchFailed
        case .signIn: .signInFailed
        case .notSignedIn: .notSignedIn
        case .backend: .backendFailed
        case .file: .fileFailed
        case .shuttingDown: .shuttingDown
        }
    }

    var sentence: String {
        switch self {
        case .noSuchCall: "there is no such call"
        case .wrongState: "the phone's state does not allow this"
        case .alreadyUnderWay: "the same action is already in progress"
        case .noRoom: "there is no room for another call"
        case .invalidTarget: "the target cannot be dialled"
        case .lineNotReady: "the line is not ready"
        case .refusedThere: "the far end rejected it"
        case .soundInUse: "the sound is in use; hold or end the call first"
        case .notSupported: "this phone is not configured for it, or the account's server does not support it"
        case .timedOut: "the action did not finish in time"
        case .callEnded: "the call ended first"
        case .organisation(let failure):
            "the phone could not switch to the organization, and stays with the previous one: \(failure.sentence)"
        case .signIn(let failure): failure.sentence
        case .notSignedIn: "the phone is not signed in; sign in first"
        case .backend(let failure): failure.sentence
        case .file(let text): text
        case .shuttingDown: "the phone is shutting down"
        }
    }

    var details: [String: JSONValue] {
        switch self {
        case .callEnded(let reason): reason.members
        case .organisation(let failure), .backend(let failure): failure.members
        case .signIn(let failure): failure.members
        case .noSuchCall, .wrongState, .alreadyUnderWay, .noRoom, .invalidTarget, .lineNotReady, .refusedThere,
            .soundInUse, .notSupported, .timedOut, .file, .notSignedIn, .shuttingDown:
            [:]
        }
    }
}
