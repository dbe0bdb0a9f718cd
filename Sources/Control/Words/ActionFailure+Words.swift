import JSON
import PhoneCore

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
        case .file: .fileFailed
        case .shuttingDown: .shuttingDown
        }
    }

    var sentence: String {
        switch self {
        case .noSuchCall: "there is no such call"
        case .wrongState: "this makes no sense in the state the phone is in"
        case .alreadyUnderWay: "the same is already under way"
        case .noRoom: "there is no room for another call"
        case .invalidTarget: "this cannot be dialled"
        case .lineNotReady: "the line is not ready"
        case .refusedThere: "the far end said no"
        case .soundInUse: "somebody or something uses the sound; a call has to be held or ended first"
        case .notSupported: "this phone is not configured for it, or the account's server cannot do it"
        case .timedOut: "it was not done in time"
        case .callEnded: "the call ended before it could be done"
        case .organisation: "the phone could not change to the organization, and works for the one before"
        case .file(let text): text
        case .shuttingDown: "the phone is shutting down"
        }
    }

    var details: [String: JSONValue] {
        switch self {
        case .callEnded(let reason): reason.members
        case .organisation(let failure): failure.members
        case .noSuchCall, .wrongState, .alreadyUnderWay, .noRoom, .invalidTarget, .lineNotReady, .refusedThere,
            .soundInUse, .notSupported, .timedOut, .file, .shuttingDown:
            [:]
        }
    }
}
