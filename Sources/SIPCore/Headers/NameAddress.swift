/// A display name, a URI and parameters: From, To, Contact, Route, Record-Route, P-Asserted-Identity, Refer-To …
public struct NameAddress: SIPHeaderValue {
    /// In plain text, without quotes; nil without one.
    public var displayName: String?
    public var uri: URI
    /// The header's parameters, which are not the URI's.
    public var parameters: SIPParameters

    public init(_ uri: URI, displayName: String? = nil, tag: String? = nil) {
        (self.uri, self.displayName, parameters) = (uri, displayName, SIPParameters())
        self.tag = tag
    }

    /// RFC 3261 §20.10: a URI without angle brackets ends at `;`, and may contain neither `,` nor `?`.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        displayName = try scanner.displayName()
        if scanner.skip(UInt8(ascii: "<")) {
            let limit = scanner.reach { $0 != UInt8(ascii: ">") }
            uri = try URI(whole: scanner.split(at: limit))
            try scanner.expect(UInt8(ascii: ">"))
        } else {
            let limit = scanner.reach { !$0.isSpace && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            uri = try URI(whole: scanner.split(at: limit))
            guard uri.sip?.headers == nil else { throw scanner.error(.headersInURI) }
        }
        parameters = try scanner.headerParameters()
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
    /// A display name, if an angle bracket follows; else nothing is read.
    fileprivate mutating func displayName() throws(SIPParseError) -> String? {
        if next == .quote {
            let name = try quotedString()
            skipSpace()
            guard next == UInt8(ascii: "<") else { throw error(.expected("<")) }
            return name
        }
        // Letters outside ASCII should be in quotes; peers forget them.
        var ahead = self
        let words = ahead.text { $0.isToken || $0.isSpace || $0 >= 0x80 }
        guard ahead.next == UInt8(ascii: "<") else { return nil }
        self = ahead
        let name = words.utf8.reversed().drop { $0.isSpace }.reversed()
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}
