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
        parameters = try scanner.headerParameters()
    }

    public static func skip(in scanner: inout SIPScanner) throws(SIPParseError) {
        _ = try scanner.skipNameAndURI()
        try scanner.skipHeaderParameters()
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
        let start = self
        do throws(SIPParseError) { return try skipReadableNameAndURI() } catch {
            self = start
            guard let name = skipOddName() else { throw error }
            return (name, try skipURIInBrackets())
        }
    }

    /// A loose scanner takes everything before the angle bracket as the name. Some peers escape no quotes in a name, or
    /// forget its last quote. In a list, a comma ends the element. With two angle brackets, the first one may belong to
    /// the name (RFC 4475 §3.1.2.6).
    private mutating func skipOddName() -> (range: Range<Int>, isQuoted: Bool)? {
        let limit = reach { $0 != UInt8(ascii: "<") && (isAlone || $0 != UInt8(ascii: ",")) }
        let name = withoutTrailingSpace(offset..<limit)
        guard isLoose, !name.isEmpty else { return nil }
        var rest = self
        _ = rest.range(to: limit)
        guard rest.skip(UInt8(ascii: "<")) else { return nil }
        let end = rest.reach { isAlone || $0 != UInt8(ascii: ",") }
        guard !rest.part(rest.offset..<end).contains(UInt8(ascii: "<")) else { return nil }
        _ = range(to: limit)
        return (withoutQuotes(name), false)
    }

    private mutating func skipURIInBrackets() throws(SIPParseError) -> URI.Shape {
        try expect(UInt8(ascii: "<"))
        if isLoose { skipSpace() }
        var inside = split(at: reach { $0 != UInt8(ascii: ">") })
        if isLoose {
            let end = inside.reach { _ in true }
            inside = inside.part(inside.withoutTrailingSpace(inside.offset..<end))
        }
        let uri = try URI.Shape(whole: inside)
        try expect(UInt8(ascii: ">"))
        return uri
    }

    private mutating func skipReadableNameAndURI() throws(SIPParseError) -> (
        name: (range: Range<Int>, isQuoted: Bool)?, uri: URI.Shape
    ) {
        let name = try skipDisplayName()
        if next == UInt8(ascii: "<") { return (name, try skipURIInBrackets()) }
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

/// The properties of the device behind a Contact.
extension NameAddress {
    /// How long the binding lives, in seconds (RFC 3261 §10.2.1.1).
    public var expires: UInt32? {
        get { parameters.seconds("expires") }
        set { parameters["expires"] = newValue.map { "\($0)" } }
    }

    /// The preference among Contacts, 0 to 1 (RFC 3261 §20.10); nil when absent or out of range.
    public var preference: Double? {
        parameters["q"].flatMap { Double($0) }.flatMap { (0...1).contains($0) ? $0 : nil }
    }

    /// The device, `urn:uuid:…`, without its angle brackets (RFC 5626 §4.1).
    public var instance: String? {
        get {
            guard let text = parameters["+sip.instance"] else { return nil }
            return text.hasPrefix("<") && text.hasSuffix(">") ? String(text.dropFirst().dropLast()) : text
        }
        set {
            guard let newValue else { return parameters["+sip.instance"] = nil }
            parameters.setQuoted("+sip.instance", "<\(newValue)>")
        }
    }

    /// The number of the device's flow, from 1 (RFC 5626 §4.2). Nil when absent or out of range.
    public var registrationID: UInt32? {
        get { parameters["reg-id"].flatMap { UInt32($0) }.flatMap { (1...CSeq.maximum).contains($0) ? $0 : nil } }
        set { parameters["reg-id"] = newValue.map { "\($0)" } }
    }

    /// The address that reaches this device from anywhere, for as long as the account exists (RFC 5627 §3.1.1).
    public var publicGRUU: URI? { gruu("pub-gruu") }

    /// A GRUU that does not reveal whose device it is. It is valid until the registration ends (RFC 5627 §3.1.2).
    public var temporaryGRUU: URI? { gruu("temp-gruu") }

    private func gruu(_ name: String) -> URI? {
        guard let text = parameters[name] else { return nil }
        do throws(SIPParseError) { return try URI(text) } catch { return nil }
    }
}

extension SIPURI {
    /// Whether messages to this Contact must use the flow over which it came (RFC 5626 §5).
    public var prefersItsFlow: Bool {
        get { parameters.contains("ob") }
        set { if newValue { parameters.setFlag("ob") } else { parameters["ob"] = nil } }
    }

    /// Whether the URI identifies one device of an account (RFC 5627 §3.3).
    public var isGRUU: Bool { parameters.contains("gr") }
}
