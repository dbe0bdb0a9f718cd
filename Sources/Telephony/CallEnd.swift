/// Why a call was refused before it was announced.
public enum CallRefusal: String, CaseIterable, Codable, Sendable {
    /// The call came from a source whose calls are not accepted.
    case notAccepted
    /// The call came over a transport that the account does not use.
    case otherTransport
    /// The line has as many calls as it may have, or calls come too often.
    case noRoom, tooOften
    case shuttingDown
    /// A backend announced the call before, and it has ended at this phone.
    case overHere
    /// This phone's own call came back.
    case loop
    /// The account requires SRTP, and the caller offers none.
    case noProtection
    /// The caller requires a kind of SRTP that is unknown here, or that the account does not use.
    case protectionUnsupported
    case noCommonCodec, noAudio, unusableMedia
    /// The account may be reached only through a server.
    case noICE
    /// The call asks to replace another one, which does not exist or may not be replaced.
    case nothingToReplace
    /// The caller requires something that is unknown here.
    case unsupported
    case malformed

    /// The reason, for people. Some texts also name the setting that would change it.
    public var words: String {
        switch self {
        case .notAccepted: "calls from this source are not accepted"
        case .otherTransport: "the call came over a transport that the account does not use"
        case .noRoom: "the line has as many calls as it may have"
        case .tooOften: "calls come too often"
        case .shuttingDown: "the phone is shutting down"
        case .overHere: "it was announced before, and has ended here"
        case .loop: "it is this phone's own call, which came back"
        case .noProtection: "the caller offers no encryption; `--protection offered` would allow it"
        case .protectionUnsupported: "the caller requires an encryption that this account does not use"
        case .noCommonCodec: "the caller and this phone have no codec in common"
        case .noAudio: "the caller offers no audio"
        case .unusableMedia: "the caller's media cannot be used"
        case .noICE: "the caller does not use ICE, and this account hides its own address"
        case .nothingToReplace: "the call that it asks to replace does not exist"
        case .unsupported: "the caller requires something that this phone does not support"
        case .malformed: "the call is malformed"
        }
    }
}

/// How the phone or a person rejects an offered call.
public enum CallRejection: Equatable, Codable, Sendable {
    case busy, declined, noAnswer, unavailable
}

/// Why the phone itself ends a call, without a person's wish. The far end learns it (RFC 3326).
public enum HangUpCause: String, CaseIterable, Codable, Equatable, Sendable {
    /// No media arrived any more.
    case mediaLost
    /// Sound could not be set up.
    case mediaFailed
    case networkLost
    /// It took too long to set up.
    case timedOut
    /// The call reached the longest time that the phone allows.
    case tooLong
    case shutDown
}

/// What a server or a far end said about the end of a call. Untrusted text.
public struct ServerEnd: Equatable, Codable, Sendable {
    /// The name of the cause, such as `USER_BUSY`, or the list of its code: `SIP` or `Q.850` (RFC 3326).
    public var cause: String?
    public var code: Int?
    public var text: String?

    public init(cause: String?, code: Int?, text: String?) {
        self.cause = cause
        self.code = code
        self.text = text
    }
}
