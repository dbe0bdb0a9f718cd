/// The name of a header. Names compare without case, and a compact form equals its full name.
///
/// Known names are written as their RFC writes them; unknown ones are kept as they came.
public struct SIPHeaderName: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    private let key: String

    /// - Parameter text: A token in any case, full or compact.
    public init(_ text: String) {
        let key = text.asciiLowercased
        self = Self.known[key] ?? SIPHeaderName(unknown: text, key: key)
    }

    private init(unknown text: String, key: String) { (self.text, self.key) = (text, key) }

    public var description: String { text }

    public static func == (left: SIPHeaderName, right: SIPHeaderName) -> Bool { left.key == right.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// Every known name under its lower case, and under its compact form (IANA registry of SIP parameters).
    private static let known: [String: SIPHeaderName] = {
        var table: [String: SIPHeaderName] = [:]
        for (name, compact) in names + extensionNames {
            let known = SIPHeaderName(unknown: name, key: name.asciiLowercased)
            table[known.key] = known
            if let compact { table[compact] = known }
        }
        return table
    }()
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
