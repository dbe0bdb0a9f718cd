/// Any URI that SIP may carry.
public enum URI: Hashable, Sendable {
    case sip(SIPURI)
    case tel(TelURI)
    /// A scheme that is not ours, kept as it came.
    case other(scheme: String, rest: String)

    /// Reads text that is a URI and nothing else.
    public init(_ text: String) throws(SIPParseError) { try self.init(whole: SIPScanner(text)) }

    public var text: String {
        switch self {
        case .sip(let uri): uri.text
        case .tel(let uri): uri.text
        case .other(let scheme, let rest): scheme + ":" + rest
        }
    }

    public var sip: SIPURI? {
        switch self {
        case .sip(let uri): uri
        case .tel, .other: nil
        }
    }

    /// Whether both name the same resource (RFC 3261 §19.1.4, RFC 3966 §4; text elsewhere).
    public func isEquivalent(to other: URI) -> Bool {
        switch (self, other) {
        case (.sip(let left), .sip(let right)): left.isEquivalent(to: right)
        case (.tel(let left), .tel(let right)): left.isEquivalent(to: right)
        case (.other, .other), (.sip, .tel), (.sip, .other), (.tel, .sip), (.tel, .other), (.other, .sip),
            (.other, .tel):
            self == other
        }
    }

    /// Everything up to the scanner's end is the URI.
    init(whole source: SIPScanner) throws(SIPParseError) {
        var scanner = source
        let limit = scanner.reach { $0.isAlphanumeric || $0 == UInt8(ascii: "+") || $0 == 0x2D || $0 == 0x2E }
        guard let first = scanner.next, first.isLetter, limit > scanner.offset else { throw scanner.error(.scheme) }
        let start = scanner.error(.scheme)
        let scheme = scanner.text(to: limit)
        guard scanner.skip(UInt8(ascii: ":")) else { throw start }
        switch scheme.asciiLowercased {
        case "sip": self = .sip(try SIPURI(.sip, from: &scanner))
        case "sips": self = .sip(try SIPURI(.sips, from: &scanner))
        case "tel": self = .tel(try TelURI(from: &scanner))
        default:
            let rest = scanner.text { $0.isVisible && !Array("<>\"".utf8).contains($0) }
            guard !rest.isEmpty else { throw scanner.error(.scheme) }
            self = .other(scheme: scheme, rest: rest)
        }
        try scanner.expectEnd()
    }
}
