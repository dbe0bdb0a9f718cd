/// The name of a header. Names compare without case, and a compact form equals its full name.
///
/// Known names are written as their RFC writes them; unknown ones are kept as received.
public struct SIPHeaderName: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    /// Known names compare by their code, unknown ones (code 0) by their text.
    let code: SIPHeaderNameTable.Code

    /// - Parameter text: A token in any case, full or compact.
    public init(_ text: String) {
        let bytes = Array(text.utf8)
        let code = Self.known.code(of: bytes.indices, in: bytes)
        self = code == 0 ? SIPHeaderName(unknown: text) : Self.known.names[Int(code)]
    }

    init(code: SIPHeaderNameTable.Code, text: String) { (self.code, self.text) = (code, text) }

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
    static let known = SIPHeaderNameTable(names + extensionNames)
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

/// The headers of SIP's extensions that the phone reads or writes.
extension SIPHeaderName {
    public static let proxyAuthenticationInfo = SIPHeaderName("Proxy-Authentication-Info")
    public static let contentDisposition = SIPHeaderName("Content-Disposition")
    public static let contentEncoding = SIPHeaderName("Content-Encoding")
    public static let date = SIPHeaderName("Date")
    public static let diversion = SIPHeaderName("Diversion")
    public static let flowTimer = SIPHeaderName("Flow-Timer")
    public static let historyInfo = SIPHeaderName("History-Info")
    public static let minSE = SIPHeaderName("Min-SE")
    public static let pCalledPartyID = SIPHeaderName("P-Called-Party-ID")
    public static let pPreferredIdentity = SIPHeaderName("P-Preferred-Identity")
    public static let path = SIPHeaderName("Path")
    public static let privAnswerMode = SIPHeaderName("Priv-Answer-Mode")
    public static let privacy = SIPHeaderName("Privacy")
    public static let rAck = SIPHeaderName("RAck")
    public static let rSeq = SIPHeaderName("RSeq")
    public static let referSub = SIPHeaderName("Refer-Sub")
    public static let referredBy = SIPHeaderName("Referred-By")
    public static let remotePartyID = SIPHeaderName("Remote-Party-ID")
    public static let replaces = SIPHeaderName("Replaces")
    public static let serviceRoute = SIPHeaderName("Service-Route")
    public static let subscriptionState = SIPHeaderName("Subscription-State")
    public static let targetDialog = SIPHeaderName("Target-Dialog")

    /// The names as their RFCs write them. Extensions that have a compact form are in `SIPHeaderName.names` instead.
    static let extensionNames: [(String, compact: String?)] = [
        "Content-Disposition", "Date", "Diversion", "Flow-Timer", "History-Info", "Min-SE", "P-Called-Party-ID",
        "P-Preferred-Identity", "Path", "Priv-Answer-Mode", "Privacy", "Proxy-Authentication-Info", "RAck", "RSeq",
        "Refer-Sub", "Remote-Party-ID", "Replaces", "Service-Route", "Subscription-State", "Target-Dialog",
    ].map { ($0, nil) }
}

/// Finds a header's name among the known ones without making a string.
///
/// It is made once, for `SIPHeaderName.known`: a table of codes, hashed by the features that distinguish names (length,
/// first, middle and last letter). Cost of a search: one comparison for nearly every name, known or not.
struct SIPHeaderNameTable: Sendable {
    /// A name's code is its place in the registry, from 1; 0 is an unknown name.
    typealias Code = UInt8

    /// The names by code, with their texts as their RFCs write them.
    private(set) var names = [SIPHeaderName(unknown: "")]
    /// Every full and compact name in lower case, with its code.
    private var spellings: [(bytes: [UInt8], code: Code)] = [([], 0)]
    /// Indices into `spellings`; 0 means an empty slot.
    private var slots = [UInt8](repeating: 0, count: 512)

    init(_ registry: [(String, compact: String?)]) {
        precondition(registry.count < 128, "codes of names and their spellings are bytes")
        for (text, compact) in registry {
            let code = Code(names.count)
            names.append(SIPHeaderName(code: code, text: text))
            insert(text, code)
            if let compact { insert(compact, code) }
        }
    }

    /// The code of the name in `range`.
    func code(of range: Range<Int>, in bytes: [UInt8]) -> Code {
        guard !range.isEmpty else { return 0 }
        var slot = Self.hash(bytes, range)
        while slots[slot] != 0 {
            let (spelling, code) = spellings[Int(slots[slot])]
            if bytes.equalsIgnoringCase(range, lowercase: spelling) { return code }
            slot = (slot + 1) & 511
        }
        return 0
    }

    private mutating func insert(_ text: String, _ code: Code) {
        let bytes = Array(text.asciiLowercased.utf8)
        var slot = Self.hash(bytes, bytes.indices)
        while slots[slot] != 0 { slot = (slot + 1) & 511 }
        slots[slot] = UInt8(spellings.count)
        spellings.append((bytes, code))
    }

    private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        let first = Int(bytes[range.lowerBound] | 0x20)
        let middle = Int(bytes[range.lowerBound + range.count / 2] | 0x20)
        let last = Int(bytes[range.upperBound - 1] | 0x20)
        return (first &* 37 &+ middle &* 101 &+ last &* 7 &+ range.count &* 59) & 511
    }
}

extension [UInt8] {
    /// Whether a range equals a text, letters of ASCII compared without case.
    func equalsIgnoringCase(_ range: Range<Int>, _ text: String) -> Bool {
        range.count == text.utf8.count
            && zip(range, text.utf8).allSatisfy { self[$0].asciiLowercased == $1.asciiLowercased }
    }

    /// Whether a range equals `lowercase`. Letters of ASCII are compared without case.
    fileprivate func equalsIgnoringCase(_ range: Range<Int>, lowercase: [UInt8]) -> Bool {
        range.count == lowercase.count
            && lowercase.indices.allSatisfy { self[range.lowerBound + $0].asciiLowercased == lowercase[$0] }
    }
}
