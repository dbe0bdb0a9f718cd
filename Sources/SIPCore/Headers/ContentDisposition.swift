/// The purpose of a body, and whether it may be ignored (RFC 3261 §20.11): `session;handling=optional`.
public struct ContentDisposition: SIPHeaderValue {
    /// `session`, `render`, `alert`, `icon`, …, in lower case.
    public var type: String
    public var parameters = SIPParameters()

    public static let session = ContentDisposition(type: "session")

    public init(type: String) { self.type = type.asciiLowercased }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        type = try scanner.token().asciiLowercased
        parameters = try scanner.headerParameters()
    }

    /// Whether a reader that does not understand the body may ignore it. Without `handling`, the body is required.
    public var isOptional: Bool { parameters["handling"]?.equalsIgnoringCase("optional") ?? false }

    public var text: String { type + parameters.text(separator: ";") }
}

extension SIPHeaders {
    public var contentDisposition: ContentDisposition? {
        get throws(SIPParseError) { try single(.contentDisposition) }
    }
}
