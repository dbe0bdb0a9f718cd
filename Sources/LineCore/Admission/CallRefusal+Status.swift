import SDPCore
import SIPCore

extension CallRefusal {
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
