/// Why a call was turned away before it was announced.
public enum CallRefusal: String, CaseIterable, Codable, Sendable {
    /// The call came from a source from which no calls are accepted.
    case notAccepted
    /// The call came over a transport that the account does not use.
    case otherTransport
    /// The line has as many calls as it may have, or calls come too often.
    case noRoom, tooOften
    case shuttingDown
    /// A backend announced the call before, and it is over at this phone.
    case overHere
    /// A call of ours came back to us.
    case loop
    /// The account requires SRTP, and the caller offers none.
    case noProtection
    /// The caller requires a kind of SRTP that is unknown here, or that the account does not use.
    case protectionUnsupported
    case noCommonCodec, noAudio, unusableMedia
    /// The account is reached through a server only.
    case noICE
    /// The call is to replace another one, which does not exist or may not be replaced.
    case nothingToReplace
    /// The caller requires something that is unknown here.
    case unsupported
    case malformed

    /// What was wrong, for people. Some texts also say what would change it.
    public var words: String {
        switch self {
        case .notAccepted: "calls are not taken from there"
        case .otherTransport: "the account does not use the transport over which the call came"
        case .noRoom: "there are as many calls as the line can have"
        case .tooOften: "calls come too often"
        case .shuttingDown: "the phone is going off"
        case .overHere: "it was announced before, and is over here"
        case .loop: "it is a call of this phone that came back"
        case .noProtection: "the caller offers no encryption; `--protection offered` would take it"
        case .protectionUnsupported: "the caller demands an encryption that this account does not speak"
        case .noCommonCodec: "the caller speaks no codec of this phone"
        case .noAudio: "the caller offers no sound"
        case .unusableMedia: "the caller's media cannot be used"
        case .noICE: "the caller does no ICE, and this account shows nobody its own address"
        case .nothingToReplace: "the call whose place it was to take is not there"
        case .unsupported: "the caller asks for what this phone does not know"
        case .malformed: "the call is malformed"
        }
    }
}
