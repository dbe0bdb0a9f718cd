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
