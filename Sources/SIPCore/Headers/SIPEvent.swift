/// The subject of a subscription or of its notification (RFC 6665 §8.2.1): `dialog;id=2`.
public struct SIPEvent: SIPHeaderValue {
    /// The package with its templates, as in `presence.winfo`; compared with case (RFC 6665 §8.2.1).
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

    /// Distinguishes subscriptions of one dialog. After a REFER it is the CSeq number of the REFER (RFC 3515 §2.4.6).
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
