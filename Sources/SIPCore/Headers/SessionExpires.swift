/// The lifetime of a session without a refresh, and the end that refreshes it (RFC 4028 §4): `1800;refresher=uac`.
public struct SessionExpires: SIPHeaderValue {
    public enum Refresher: String, Hashable, Sendable { case uac, uas }

    /// In seconds.
    public var seconds: UInt32
    public var parameters = SIPParameters()

    public init(seconds: UInt32, refresher: Refresher? = nil) {
        self.seconds = seconds
        self.refresher = refresher
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        seconds = try SIPNumber(from: &scanner).value
        parameters = try scanner.headerParameters()
    }

    /// Nil when the choice is left to the other end.
    public var refresher: Refresher? {
        get { parameters["refresher"].flatMap { Refresher(rawValue: $0.asciiLowercased) } }
        set { parameters["refresher"] = newValue?.rawValue }
    }

    public var text: String { "\(seconds)" + parameters.text(separator: ";") }
}

/// The shortest Session-Expires that an element on the path accepts (RFC 4028 §5).
public struct MinSE: SIPHeaderValue {
    /// In seconds.
    public var seconds: UInt32
    public var parameters = SIPParameters()

    /// The default, and the least value that is allowed, in seconds (RFC 4028 §4).
    public static let least: UInt32 = 90

    public init(seconds: UInt32) { self.seconds = seconds }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        seconds = try SIPNumber(from: &scanner).value
        parameters = try scanner.headerParameters()
    }

    public var text: String { "\(seconds)" + parameters.text(separator: ";") }
}

extension SIPHeaders {
    public var sessionExpires: SessionExpires? { get throws(SIPParseError) { try first(.sessionExpires) } }
    public var minSE: MinSE? { get throws(SIPParseError) { try first(.minSE) } }
}
