import SDPCore
import SIPCore

/// Why a call that came in was not even offered.
public enum CallRefusal: String, CaseIterable, Hashable, Sendable {
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

    /// What a refusal by this response says.
    init?(_ status: SIPStatus) {
        switch status.code {
        // The caller asks again with what it was told (RFC 4028 §8.1): nothing was refused.
        case 422: return nil
        case 480: self = .shuttingDown
        case 481, 603: self = .nothingToReplace
        case 482: self = .loop
        case 486: self = .noRoom
        case 503: self = .tooOften
        case 400: self = .malformed
        default: self = .unsupported
        }
    }

    init(_ fault: NegotiationError) {
        switch fault {
        case .protectionRequired: self = .noProtection
        case .protectionUnsupported: self = .protectionUnsupported
        case .noCommonCodec: self = .noCommonCodec
        case .noAudio: self = .noAudio
        case .unsupportedTransport, .unusableAddress, .answerDoesNotMatch: self = .unusableMedia
        }
    }
}

extension Flow.Endpoint {
    /// For people, who look for a host and not for one of its ports; and for rooms that know nothing of SIP.
    public var address: String { host }
}
