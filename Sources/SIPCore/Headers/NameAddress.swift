/// A display name, a URI and parameters: From, To, Contact, Route, Record-Route, P-Asserted-Identity, Refer-To …
public struct NameAddress: SIPHeaderValue {
    /// The name in plain text, without quotes; nil without one.
    public var displayName: String?
    public var uri: URI
    /// The parameters of the header, not of the URI.
    public var parameters: SIPParameters

    public init(_ uri: URI, displayName: String? = nil, tag: String? = nil) {
        (self.uri, self.displayName, parameters) = (uri, displayName, SIPParameters())
        self.tag = tag
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let (name, uri) = try scanner.skipNameAndURI()
        displayName = name.map { $0.isQuoted ? scanner.unquoted($0.range) : scanner.text(in: $0.range) }
        self.uri = try URI(uri, in: scanner)
        parameters = try scanner.addressParameters()
    }

    public static func skip(in scanner: inout SIPScanner) throws(SIPParseError) {
        _ = try scanner.skipNameAndURI()
        try scanner.skipAddressParameters()
    }

    public var tag: String? {
        get { parameters["tag"] }
        set { parameters["tag"] = newValue }
    }

    public var text: String {
        let name = displayName.map { $0.onOneLine.quoted + " " } ?? ""
        return name + "<" + uri.text + ">" + parameters.text(separator: ";")
    }
}

extension SIPScanner {
    /// RFC 3261 §20.10: a URI without angle brackets ends at `;`, and may contain neither `,` nor `?`.
    fileprivate mutating func skipNameAndURI() throws(SIPParseError) -> (
        name: (range: Range<Int>, isQuoted: Bool)?, uri: URI.Shape
    ) {
        let name = try skipDisplayName()
        if skip(UInt8(ascii: "<")) {
            let uri = try URI.Shape(whole: split(at: reach { $0 != UInt8(ascii: ">") }))
            try expect(UInt8(ascii: ">"))
            return (name, uri)
        }
        let limit = reach { !$0.isSpace && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let uri = try URI.Shape(whole: split(at: limit))
        guard !uri.hasHeaders else { throw error(.headersInURI) }
        return (name, uri)
    }

    /// Reads a display name if an angle bracket follows it; else reads nothing.
    private mutating func skipDisplayName() throws(SIPParseError) -> (range: Range<Int>, isQuoted: Bool)? {
        if next == .quote {
            let name = try skipQuotedString()
            skipSpace()
            guard next == UInt8(ascii: "<") || isLoose else { throw error(.expected("<")) }
            return (name, true)
        }
        // Letters outside ASCII and marks should be in quotes, but some peers omit the quotes.
        var ahead = self
        let words = ahead.range(
            to: ahead.reach { $0.isToken || $0.isSpace || $0 >= 0x80 || isLoose && $0.mayStandInName })
        guard ahead.next == UInt8(ascii: "<") else { return nil }
        self = ahead
        let name = withoutTrailingSpace(words)
        return name.isEmpty ? nil : (name, false)
    }
}

extension UInt8 {
    /// Whether a name without quotes may have this byte: it is visible, and does not delimit anything in a list of
    /// addresses.
    fileprivate var mayStandInName: Bool { isVisible && !Array(",;<>\"".utf8).contains(self) }
}
