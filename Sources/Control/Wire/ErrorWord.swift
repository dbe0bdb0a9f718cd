/// The stable words of `data.code`, by which programs tell refusals apart. What each means is said by
/// `ErrorWord.explanation`, in one place for `docs/control.md` and the OpenRPC document.
public enum ErrorWord: String, CaseIterable, Sendable {
    // No request.
    case parseError, invalidRequest, methodNotFound, invalidParams
    // The phone, its state, its line or the far end said no.
    case noSuchCall, wrongState, alreadyUnderWay, noRoom, invalidTarget, lineNotReady, refusedThere, notSupported
    case timedOut, callEnded, organizationSwitchFailed, fileFailed, shuttingDown
    // A request that waits.
    case cancelled, noSuchRequest
    // What the vault keeps.
    case notKept, noSuchContact, noSuchToken
    // Setting up.
    case busy, noDevice, deviceFailed, soundInUse, trialFailed, noSuchTrial, notPlanned, noSuchPlan, notWritten, inCall
    case wouldNotStart
    // Limits.
    case lineTooLong, tooManyRequests, tooManyConnections
    // Who may ask what.
    case peerNotAllowed, scopeTooSmall
    // A simulated panel.
    case panelIsReal, panelRefused
}

extension ErrorWord {
    /// JSON-RPC's number for it.
    public var number: RPCError.Number {
        switch self {
        case .parseError: .parseError
        case .invalidRequest: .invalidRequest
        case .methodNotFound: .methodNotFound
        case .invalidParams: .invalidParams
        case .noSuchCall, .wrongState, .alreadyUnderWay, .noRoom, .invalidTarget, .lineNotReady, .refusedThere,
            .notSupported, .timedOut, .callEnded, .organizationSwitchFailed, .fileFailed, .shuttingDown, .cancelled,
            .noSuchRequest, .notKept, .noSuchContact, .noSuchToken, .busy, .noDevice, .deviceFailed, .soundInUse,
            .trialFailed, .noSuchTrial, .notPlanned, .noSuchPlan, .notWritten, .inCall, .wouldNotStart:
            .actionFailed
        case .lineTooLong, .tooManyRequests, .tooManyConnections: .limit
        case .peerNotAllowed, .scopeTooSmall: .notAllowed
        case .panelIsReal, .panelRefused: .panel
        }
    }

    /// What it means, as Markdown.
    public var explanation: String {
        switch self {
        case .parseError: "no JSON"
        case .invalidRequest:
            "JSON that is no request, or a batch that is empty or has more than \(RPCMessage.longestBatch)"
        case .methodNotFound: "there is no such method"
        case .invalidParams: "the message says what was expected"
        case .noSuchCall: "there is no such call, or several could be meant"
        case .wrongState: "it makes no sense in the state the phone is in"
        case .alreadyUnderWay: "the same is already under way"
        case .noRoom: "there is no room for another call; while setting up, for another trial"
        case .invalidTarget: "this cannot be dialled"
        case .lineNotReady: "the account is not registered"
        case .refusedThere: "the far end said no"
        case .notSupported:
            "this phone is not configured for it, has no vault or no backend, or the account's server cannot do it"
        case .timedOut: "it was not done within its deadline"
        case .callEnded: "the call ended before it could be done; with `data.reason`, as above"
        case .organizationSwitchFailed:
            """
            with `data.reason`: `network`, `api` (`data.status`), `parse`, `timeout`, `credentialStore`, `connection`, \
            `abandoned`
            """
        case .fileFailed: "a file cannot be used; the message says which and why"
        case .shuttingDown: "the phone is about to end"
        case .cancelled: "`cancel` named this request, or its trial was ended"
        case .noSuchRequest: "`cancel` named a request that does not wait, or is another program's"
        case .notKept: "the vault does not take it; the message says why"
        case .noSuchContact: "no contact has this number"
        case .noSuchToken: "no token has this label"
        case .busy: "something else is being tried"
        case .noDevice: "the route has no sound device, or the machine has no such one"
        case .deviceFailed: "the sound device does not work; the message says why"
        case .soundInUse: "the phone itself uses its sound devices"
        case .trialFailed: "the account could not be tried; the message says why"
        case .noSuchTrial: "no account of that trial is remembered"
        case .notPlanned: "the files cannot be planned; the message says why"
        case .noSuchPlan: "no plan of that number is remembered"
        case .notWritten: "a file could not be written, or was changed since; the message says which and why"
        case .inCall: "there is a call, which would end"
        case .wouldNotStart: "the phone could not start with its files as they are; the message says why"
        case .lineTooLong: "a line has at most 65,536 bytes; the connection is closed"
        case .tooManyRequests: "32 requests of this connection have no answer yet"
        case .tooManyConnections: "all 16 connections are in use; the connection is closed"
        case .peerNotAllowed: "this user may not control the phone; the connection is closed"
        case .scopeTooSmall: "the token does not reach; with `data.scope`, the one that is needed"
        case .panelIsReal: "the panel is real; only a simulated one is operated from here"
        case .panelRefused: "the simulated panel has no such key or line"
        }
    }
}
