/// What a subscription or its notification is about (RFC 6665 §8.2.1): `dialog;id=2`.
public struct SIPEvent: SIPHeaderValue {
    /// The package with its templates, `presence.winfo`; compared with case (RFC 6665 §8.2.1).
    public var package: String
    public var parameters = SIPParameters()

    public init(_ package: String, id: String?) {
        self.package = package
        self.id = id
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        package = try scanner.token()
        parameters = try scanner.headerParameters()
    }

    /// Tells subscriptions of one dialog apart, as the CSeq of a REFER does (RFC 3515 §2.4.6).
    public var id: String? {
        get { parameters["id"] }
        set { parameters["id"] = newValue }
    }

    /// Whether both name the same subscription within a dialog (RFC 6665 §4.5.2).
    public func isSame(as other: SIPEvent) -> Bool { package == other.package && id == other.id }

    public var text: String { package + parameters.text(separator: ";") }
}

extension SIPHeaders {
    public var event: SIPEvent? { get throws(SIPParseError) { try single(.event) } }
    public var allowEvents: [String] { get throws(SIPParseError) { try tokens(.allowEvents) } }
}
