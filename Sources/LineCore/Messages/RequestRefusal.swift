import SDPCore
import SIPCore

/// Why the line refuses a far end's request.
package struct RequestRefusal: Error {
    package let status: SIPStatus
    /// The fault, for people and for readers of the far end's trace (RFC 3261 §20.43).
    let warning: SIPWarning?
    /// The fault of a session description. Nil if it has none, or if it cannot be parsed.
    let fault: NegotiationError?
    /// Whether such requests came too often.
    private(set) var isTooOften = false
    /// Headers with the values that the line would have accepted.
    private(set) var headers = SIPHeaders()

    init(_ status: SIPStatus, _ warning: SIPWarning? = nil) {
        (self.status, self.warning, fault) = (status, warning, nil)
    }

    /// 488.
    init(_ fault: NegotiationError) {
        (status, warning, self.fault) = (.notAcceptableHere, fault.warning, fault)
    }

    /// 415, with the media types that are accepted (RFC 3261 §21.4.13).
    static func unsupportedMediaType(accepting types: [String]) -> RequestRefusal {
        var refusal = RequestRefusal(.unsupportedMediaType)
        refusal.headers.set(.accept, tokens: types)
        return refusal
    }

    /// 415 or another status, for a body that cannot be read (RFC 3261 §8.2.3).
    init(_ fault: BodyFault) {
        self.init(fault.status)
        headers.set(.accept, tokens: SIPRequest.acceptedBodies)
        if case .encoded = fault { headers[SIPHeaderName("Accept-Encoding")] = "identity" }
    }

    /// 420, with the unknown extensions (RFC 3261 §8.2.2.3).
    static func badExtension(_ unknown: [String]) -> RequestRefusal {
        var refusal = RequestRefusal(.badExtension)
        refusal.headers.set(.unsupported, tokens: unknown)
        return refusal
    }

    /// 422, with the shortest session that is accepted, in seconds (RFC 4028 §9).
    static func sessionIntervalTooSmall(least: UInt32) -> RequestRefusal {
        var refusal = RequestRefusal(.sessionIntervalTooSmall)
        refusal.headers.set(.minSE, MinSE(seconds: least))
        return refusal
    }

    /// 489, with the event packages that are accepted (RFC 6665 §7.2.1).
    static func badEvent(allowing packages: [String]) -> RequestRefusal {
        var refusal = RequestRefusal(.badEvent)
        refusal.headers.set(.allowEvents, tokens: packages)
        return refusal
    }

    /// 503, for requests that come too often (RFC 3261 §21.5.4).
    static var tooOften: RequestRefusal { RequestRefusal(tooOften: .serviceUnavailable) }

    /// 486, for calls that come too often (RFC 3261 §21.4.24). The phone can take no more of them, as if it were busy.
    /// After 503 a server would report congestion, or assume that the phone is broken.
    static var tooManyCalls: RequestRefusal { RequestRefusal(tooOften: .busyHere) }

    private init(tooOften status: SIPStatus) {
        self.init(status)
        isTooOften = true
        headers.set(.retryAfter, RetryAfter(seconds: 5))
    }

    /// A session description that cannot be parsed.
    init(_ status: SIPStatus, _ fault: SDPParseError) {
        self.init(status, SIPWarning(399, "line \(fault.line) of the session description: \(fault.problem)"))
    }
}

extension SIPRequest {
    func response(_ refusal: RequestRefusal, tag: String) -> SIPResponse {
        var response = response(refusal.status, tag: tag)
        if let warning = refusal.warning { response.headers.set(.warning, warning) }
        for field in refusal.headers.fields { response.headers.append(field.name, field.value) }
        return response
    }
}

extension SIPWarning {
    /// The agent in our warnings: a pseudonym, because an address may be private.
    private static let agent = "offhook"

    /// - Parameter code: 399 is for everything that has no other code (RFC 3261 §20.43).
    init(_ code: Int, _ message: String) { self.init(code, agent: Self.agent, message) }
}

extension NegotiationError {
    /// Whether a far end that rejects our protection may have answered with this. Some refuse the media line, with 200
    /// (RFC 3264 §6).
    var isAboutProtection: Bool {
        switch self {
        case .noAudio, .unsupportedTransport, .protectionRequired, .protectionUnsupported: true
        case .noCommonCodec, .unusableAddress, .iceRequired, .answerDoesNotMatch: false
        }
    }

    /// The warning, with its code from RFC 3261 §20.43.
    var warning: SIPWarning {
        switch self {
        case .noAudio: SIPWarning(304, "Media type not available: only audio is supported")
        case .unsupportedTransport(let name): SIPWarning(302, "Incompatible transport protocol: \(name)")
        case .noCommonCodec: SIPWarning(305, "Incompatible media format")
        case .protectionRequired: SIPWarning(302, "Incompatible transport protocol: SRTP is required")
        case .protectionUnsupported: SIPWarning(302, "Incompatible transport protocol: SRTP variant not supported")
        case .iceRequired: SIPWarning(399, "ICE is required")
        case .unusableAddress: SIPWarning(301, "Incompatible network address formats")
        case .answerDoesNotMatch: SIPWarning(399, "The answer does not match its offer")
        }
    }
}

extension SIPRequest {
    /// The body types that a line accepts in a request.
    static let acceptedBodies = [
        MediaType.sdp.name, "multipart/mixed", "multipart/alternative", "multipart/related",
    ]

    /// Why the body cannot be read (RFC 3261 §8.2.3). Nil if it can be read, or if the request has no body.
    var refusalOfBody: RequestRefusal? {
        do throws(BodyFault) {
            _ = try body(of: .sdp)
            return nil
        } catch {
            return RequestRefusal(error)
        }
    }
}

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
