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
