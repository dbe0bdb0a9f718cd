import SDPCore
import SIPCore

/// Why a request of a far end is not taken.
package struct RequestRefusal: Error {
    package let status: SIPStatus
    /// What is wrong, for people and for whoever reads the trace of the other end (RFC 3261 §20.43).
    let warning: SIPWarning?
    /// What of a session description cannot be; nil where nothing of it is wrong, or it does not read.
    let fault: NegotiationError?
    /// What would have been taken instead.
    private(set) var headers = SIPHeaders()

    init(_ status: SIPStatus, _ warning: SIPWarning? = nil) {
        (self.status, self.warning, fault) = (status, warning, nil)
    }

    /// 488.
    init(_ fault: NegotiationError) {
        (status, warning, self.fault) = (.notAcceptableHere, fault.warning, fault)
    }

    /// 415, with the media types that are taken (RFC 3261 §21.4.13).
    static func unsupportedMediaType(accepting types: [String]) -> RequestRefusal {
        var refusal = RequestRefusal(.unsupportedMediaType)
        refusal.headers.set(.accept, tokens: types)
        return refusal
    }

    /// 415 or another one, for a body that cannot be read (RFC 3261 §8.2.3).
    init(_ fault: BodyFault) {
        self.init(fault.status)
        headers.set(.accept, tokens: SIPRequest.acceptedBodies)
        if case .encoded = fault { headers[SIPHeaderName("Accept-Encoding")] = "identity" }
    }

    /// 420, with the extensions that are not known (RFC 3261 §8.2.2.3).
    static func badExtension(_ unknown: [String]) -> RequestRefusal {
        var refusal = RequestRefusal(.badExtension)
        refusal.headers.set(.unsupported, tokens: unknown)
        return refusal
    }

    /// 422, with the shortest session that is taken, in seconds (RFC 4028 §9).
    static func sessionIntervalTooSmall(least: UInt32) -> RequestRefusal {
        var refusal = RequestRefusal(.sessionIntervalTooSmall)
        refusal.headers.set(.minSE, MinSE(seconds: least))
        return refusal
    }

    /// 489, with the event packages that are taken (RFC 6665 §7.2.1).
    static func badEvent(allowing packages: [String]) -> RequestRefusal {
        var refusal = RequestRefusal(.badEvent)
        refusal.headers.set(.allowEvents, tokens: packages)
        return refusal
    }

    /// 503 to what comes too often (RFC 3261 §21.5.4).
    static var tooOften: RequestRefusal {
        var refusal = RequestRefusal(.serviceUnavailable)
        refusal.headers.set(.retryAfter, RetryAfter(seconds: 5))
        return refusal
    }

    /// A session description that does not read.
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
    /// Who warns: a name that stands for one, because an address may be private.
    private static let agent = "offhook"

    /// - Parameter code: 399 is what has no number of its own (RFC 3261 §20.43).
    init(_ code: Int, _ message: String) { self.init(code, agent: Self.agent, message) }
}

extension NegotiationError {
    /// By the numbers of RFC 3261 §20.43.
    var warning: SIPWarning {
        switch self {
        case .noAudio: SIPWarning(304, "Media type not available: audio is all there is")
        case .unsupportedTransport(let name): SIPWarning(302, "Incompatible transport protocol: \(name)")
        case .noCommonCodec: SIPWarning(305, "Incompatible media format")
        case .protectionRequired: SIPWarning(302, "Incompatible transport protocol: SRTP is required")
        case .protectionUnsupported: SIPWarning(302, "Incompatible transport protocol: no such SRTP here")
        case .unusableAddress: SIPWarning(301, "Incompatible network address formats")
        case .answerDoesNotMatch: SIPWarning(399, "The answer does not match its offer")
        }
    }
}
