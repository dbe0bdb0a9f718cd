import SDPCore
import SIPCore

extension CallRefusal {
    /// The reason for which a call was refused with this status. Nil if the call was not refused for good.
    init?(_ status: SIPStatus) {
        switch status.code {
        // The caller asks again with the interval that the response names (RFC 4028 §8.1).
        case 422: return nil
        case 480: self = .shuttingDown
        case 481, 603: self = .nothingToReplace
        case 482: self = .loop
        case 486: self = .noRoom
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
        case .iceRequired: self = .noICE
        case .unsupportedTransport, .unusableAddress, .answerDoesNotMatch: self = .unusableMedia
        }
    }
}

extension Flow.Endpoint {
    /// The host without the port, for people and for modules that do not use SIP.
    public var address: String { host }
}
