/// A response to a request.
public struct SIPResponse: Equatable, Sendable {
    public var status: SIPStatus
    public var phrase: String
    public var headers: SIPHeaders
    public var body: [UInt8]

    public init(_ status: SIPStatus, phrase: String? = nil, headers: SIPHeaders = SIPHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
        self.phrase = (phrase ?? status.phrase).onOneLine
    }

    /// The response on the wire.
    public var bytes: [UInt8] { SIPSerializer.bytes(startLine: "SIP/2.0 \(status.code) \(phrase)", headers, body) }
}

extension SIPRequest {
    /// A response with the headers that it must repeat from its request (RFC 3261 §8.2.6.2, and §12.1.1 for
    /// Record-Route).
    /// - Parameter tag: Our tag, for a To that has none yet; 100 needs none.
    public func response(_ status: SIPStatus, tag: String? = nil, phrase: String? = nil) -> SIPResponse {
        var response = SIPResponse(status, phrase: phrase)
        for name in [SIPHeaderName.via, .recordRoute, .from, .to, .callID, .cSeq] {
            response.headers.copy(name, from: headers)
        }
        if status == .trying { response.headers.copy(.timestamp, from: headers) }
        if let tag { response.headers.addToTag(tag) }
        return response
    }
}

extension SIPHeaders {
    /// Adds a tag to a To that parses and has none; any other To is left as it is.
    fileprivate mutating func addToTag(_ tag: String) {
        do throws(SIPParseError) {
            var to = try to
            guard to.tag == nil else { return }
            to.tag = tag
            set(.to, to)
        } catch {
            return  // A malformed To gets no tag. The response names the fault of the request.
        }
    }
}

/// A response's code, 100 to 699.
public struct SIPStatus: Hashable, Sendable {
    public let code: Int

    public init(_ code: Int) {
        precondition((100...699).contains(code), "a status is 100 to 699")
        self.code = code
    }

    public var isProvisional: Bool { code < 200 }
    public var isSuccess: Bool { (200..<300).contains(code) }
    public var isFinal: Bool { code >= 200 }
    /// Whether the response is final for every location of the user (RFC 3261 §21.6).
    public var isGlobal: Bool { code >= 600 }

    /// The phrase of the status' RFC, else the phrase of its class (x00).
    public var phrase: String { Self.phrases[code] ?? Self.phrases[code / 100 * 100] ?? "Unknown" }

    public static let trying = SIPStatus(100)
    public static let ringing = SIPStatus(180)
    public static let sessionProgress = SIPStatus(183)
    public static let ok = SIPStatus(200)
    public static let accepted = SIPStatus(202)
    public static let movedTemporarily = SIPStatus(302)
    public static let badRequest = SIPStatus(400)
    public static let unauthorized = SIPStatus(401)
    public static let forbidden = SIPStatus(403)
    public static let notFound = SIPStatus(404)
    public static let methodNotAllowed = SIPStatus(405)
    public static let proxyAuthenticationRequired = SIPStatus(407)
    public static let notAcceptable = SIPStatus(406)
    public static let requestTimeout = SIPStatus(408)
    public static let unsupportedMediaType = SIPStatus(415)
    public static let unsupportedURIScheme = SIPStatus(416)
    public static let badExtension = SIPStatus(420)
    public static let sessionIntervalTooSmall = SIPStatus(422)
    public static let intervalTooBrief = SIPStatus(423)
    /// A proxy on the path does not support flows (RFC 5626 §11.6).
    public static let firstHopLacksOutbound = SIPStatus(439)
    public static let temporarilyUnavailable = SIPStatus(480)
    public static let callDoesNotExist = SIPStatus(481)
    public static let loopDetected = SIPStatus(482)
    public static let tooManyHops = SIPStatus(483)
    public static let busyHere = SIPStatus(486)
    public static let requestTerminated = SIPStatus(487)
    public static let notAcceptableHere = SIPStatus(488)
    public static let badEvent = SIPStatus(489)
    public static let requestPending = SIPStatus(491)
    public static let serverInternalError = SIPStatus(500)
    public static let serviceUnavailable = SIPStatus(503)
    public static let serverTimeout = SIPStatus(504)
    public static let versionNotSupported = SIPStatus(505)
    public static let decline = SIPStatus(603)

    private static let phrases: [Int: String] = [
        100: "Trying", 180: "Ringing", 181: "Call Is Being Forwarded", 182: "Queued", 183: "Session Progress",
        199: "Early Dialog Terminated", 200: "OK", 202: "Accepted", 204: "No Notification",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Moved Temporarily", 305: "Use Proxy",
        380: "Alternative Service", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 410: "Gone",
        412: "Conditional Request Failed", 413: "Request Entity Too Large", 414: "Request-URI Too Long",
        415: "Unsupported Media Type", 416: "Unsupported URI Scheme", 420: "Bad Extension",
        421: "Extension Required", 422: "Session Interval Too Small", 423: "Interval Too Brief",
        480: "Temporarily Unavailable", 481: "Call/Transaction Does Not Exist", 482: "Loop Detected",
        483: "Too Many Hops", 484: "Address Incomplete", 485: "Ambiguous", 486: "Busy Here",
        487: "Request Terminated", 488: "Not Acceptable Here", 489: "Bad Event", 491: "Request Pending",
        493: "Undecipherable", 500: "Server Internal Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Server Time-out", 505: "Version Not Supported",
        513: "Message Too Large", 600: "Busy Everywhere", 603: "Decline", 604: "Does Not Exist Anywhere",
        606: "Not Acceptable",
    ]
}
