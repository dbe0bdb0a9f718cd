/// The name of a header. Names compare without case, and a compact form equals its full name.
///
/// Known names are written as their RFC writes them; unknown ones are kept as received.
public struct SIPHeaderName: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    /// Known names compare by their code, unknown ones (code 0) by their text.
    let code: SIPHeaderNames.Code

    /// - Parameter text: A token in any case, full or compact.
    public init(_ text: String) {
        let bytes = Array(text.utf8)
        let code = Self.known.code(of: bytes.indices, in: bytes)
        self = code == 0 ? SIPHeaderName(unknown: text) : Self.known.names[Int(code)]
    }

    init(code: SIPHeaderNames.Code, text: String) { (self.code, self.text) = (code, text) }

    init(unknown text: String) { self.init(code: 0, text: text) }

    public var description: String { text }

    public static func == (left: SIPHeaderName, right: SIPHeaderName) -> Bool {
        left.code == right.code && (left.code != 0 || left.text.equalsIgnoringCase(right.text))
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        if code == 0 { hasher.combine(text.asciiLowercased) }
    }

    /// Every known name (IANA registry of SIP parameters).
    static let known = SIPHeaderNames(names + extensionNames)
}

extension SIPHeaderName {
    public static let accept = SIPHeaderName("Accept")
    public static let alertInfo = SIPHeaderName("Alert-Info")
    public static let allow = SIPHeaderName("Allow")
    public static let allowEvents = SIPHeaderName("Allow-Events")
    public static let answerMode = SIPHeaderName("Answer-Mode")
    public static let authenticationInfo = SIPHeaderName("Authentication-Info")
    public static let authorization = SIPHeaderName("Authorization")
    public static let callID = SIPHeaderName("Call-ID")
    public static let callInfo = SIPHeaderName("Call-Info")
    public static let contact = SIPHeaderName("Contact")
    public static let contentLength = SIPHeaderName("Content-Length")
    public static let contentType = SIPHeaderName("Content-Type")
    public static let cSeq = SIPHeaderName("CSeq")
    public static let event = SIPHeaderName("Event")
    public static let expires = SIPHeaderName("Expires")
    public static let from = SIPHeaderName("From")
    public static let maxForwards = SIPHeaderName("Max-Forwards")
    public static let minExpires = SIPHeaderName("Min-Expires")
    public static let pAssertedIdentity = SIPHeaderName("P-Asserted-Identity")
    public static let proxyAuthenticate = SIPHeaderName("Proxy-Authenticate")
    public static let proxyAuthorization = SIPHeaderName("Proxy-Authorization")
    public static let proxyRequire = SIPHeaderName("Proxy-Require")
    public static let reason = SIPHeaderName("Reason")
    public static let recordRoute = SIPHeaderName("Record-Route")
    public static let referTo = SIPHeaderName("Refer-To")
    public static let require = SIPHeaderName("Require")
    public static let retryAfter = SIPHeaderName("Retry-After")
    public static let route = SIPHeaderName("Route")
    public static let server = SIPHeaderName("Server")
    public static let sessionExpires = SIPHeaderName("Session-Expires")
    public static let subject = SIPHeaderName("Subject")
    public static let supported = SIPHeaderName("Supported")
    public static let timestamp = SIPHeaderName("Timestamp")
    public static let to = SIPHeaderName("To")
    public static let unsupported = SIPHeaderName("Unsupported")
    public static let userAgent = SIPHeaderName("User-Agent")
    public static let via = SIPHeaderName("Via")
    public static let warning = SIPHeaderName("Warning")
    public static let wwwAuthenticate = SIPHeaderName("WWW-Authenticate")

    private static let names: [(String, compact: String?)] = [
        ("Accept", nil), ("Accept-Contact", "a"), ("Alert-Info", nil), ("Allow", nil), ("Allow-Events", "u"),
        ("Answer-Mode", nil), ("Authentication-Info", nil), ("Authorization", nil), ("Call-ID", "i"),
        ("Call-Info", nil),
        ("Contact", "m"), ("Content-Encoding", "e"), ("Content-Length", "l"), ("Content-Type", "c"),
        ("CSeq", nil), ("Event", "o"), ("Expires", nil), ("From", "f"), ("Identity", "y"),
        ("Identity-Info", "n"), ("Max-Forwards", nil), ("Min-Expires", nil), ("P-Asserted-Identity", nil),
        ("Proxy-Authenticate", nil), ("Proxy-Authorization", nil), ("Proxy-Require", nil), ("Reason", nil),
        ("Record-Route", nil), ("Refer-To", "r"), ("Referred-By", "b"), ("Reject-Contact", "j"),
        ("Request-Disposition", "d"), ("Require", nil), ("Retry-After", nil), ("Route", nil), ("Server", nil),
        ("Session-Expires", "x"), ("Subject", "s"), ("Supported", "k"), ("Timestamp", nil), ("To", "t"),
        ("Unsupported", nil), ("User-Agent", nil), ("Via", "v"), ("Warning", nil), ("WWW-Authenticate", nil),
    ]
}
