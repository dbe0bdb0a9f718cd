/// Why a line turned a call away before anybody here could hear of it.
public enum CallRefusal: String, CaseIterable, Codable, Sendable {
    /// It came from where no calls are taken from.
    case notAccepted
    /// It came over a transport that the account does not use.
    case otherTransport
    /// More calls at once than a line has, or more in a short time.
    case noRoom, tooOften
    case shuttingDown
    /// It is a call of ours that came back.
    case loop
    /// The account demands SRTP, and the caller offers none.
    case noProtection
    /// The caller demands SRTP of a kind that is unknown here, or that the account does without.
    case protectionUnsupported
    case noCommonCodec, noAudio, unusableMedia
    /// It is to take the place of a call that is not there.
    case nothingToReplace
    /// The caller asks for what is not known here.
    case unsupported
    case malformed

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
}
