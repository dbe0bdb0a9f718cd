/// Why a line turned a call away before anybody here could hear of it.
public enum CallRefusal: String, CaseIterable, Codable, Sendable {
    case notAccepted, otherTransport, noRoom, tooOften, shuttingDown, loop, noProtection, protectionUnsupported,
        noCommonCodec, noAudio, unusableMedia, nothingToReplace, unsupported, malformed

    /// For people: what was wrong, and what would change it.
    public var words: String {
        switch self {
        case .notAccepted: "calls are not taken from there"
        case .otherTransport: "the account does not use the transport over which the call came"
        case .noRoom: "there are as many calls as the line can have"
        case .tooOften: "calls come too often"
        case .shuttingDown: "the phone is going off"
        case .loop: "it is a call of this phone that came back"
        case .noProtection: "the caller offers no encryption; `--protection offered` would take it"
        case .protectionUnsupported: "the caller demands an encryption that this account does not speak"
        case .noCommonCodec: "the caller speaks no codec of this phone"
        case .noAudio: "the caller offers no sound"
        case .unusableMedia: "the caller's media cannot be used"
        case .nothingToReplace: "the call whose place it was to take is not there"
        case .unsupported: "the caller asks for what this phone does not know"
        case .malformed: "the call is malformed"
        }
    }

    /// How a call ended that a person would want to know of: from somebody who may call, and could not. Nil: nobody
    /// missed anything.
    var missedAs: EndReason? {
        switch self {
        case .noProtection, .protectionUnsupported, .noCommonCodec, .noAudio, .unusableMedia: .incompatible
        case .noRoom: .refusedBusy
        case .notAccepted, .otherTransport, .tooOften, .shuttingDown, .loop, .nothingToReplace, .unsupported,
            .malformed:
            nil
        }
    }
}
