/// A count or a time in whole seconds: Max-Forwards, Expires, Min-Expires. A number that is too large becomes the
/// maximum: RFC 3261 §20.19 allows this for times, and our counts do not depend on it.
public struct SIPNumber: SIPHeaderValue {
    public var value: UInt32

    public init(_ value: UInt32) { self.value = value }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let digits = scanner.reach { $0.isDigit }
        guard digits > scanner.offset else { throw scanner.error(.number(maximum: UInt64(UInt32.max))) }
        value = UInt32(scanner.text(to: digits)) ?? .max
    }

    public var text: String { "\(value)" }
}

/// One word of a list: Allow, Supported, Require, Unsupported.
public struct SIPToken: SIPHeaderValue {
    public var text: String

    public init(from scanner: inout SIPScanner) throws(SIPParseError) { text = try scanner.token() }
}

/// `application/sdp;charset=utf-8` (RFC 3261 §20.15).
public struct MediaType: SIPHeaderValue {
    /// Type and subtype in lower case, with their slash.
    public var name: String
    public var parameters = SIPParameters()

    public static let sdp = MediaType(name: "application/sdp")

    public init(name: String) { self.name = name.asciiLowercased }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let (type, subtype) = try scanner.skipTypes()
        name = (scanner.text(in: type) + "/" + scanner.text(in: subtype)).asciiLowercased
        parameters = try scanner.headerParameters()
    }

    public static func skip(in scanner: inout SIPScanner) throws(SIPParseError) {
        _ = try scanner.skipTypes()
        try scanner.skipHeaderParameters()
    }

    public var text: String { name + parameters.text(separator: ";") }
}

/// Why a request was sent (RFC 3326): `SIP;cause=200;text="Call completed elsewhere"`.
public struct Reason: SIPHeaderValue {
    /// `SIP`, `Q.850`, …
    public var `protocol`: String
    public var parameters = SIPParameters()

    public init(_ protocol: String = "SIP", cause: Int, text: String? = nil) {
        self.protocol = `protocol`
        parameters["cause"] = "\(cause)"
        if let text { parameters.setQuoted("text", text) }
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        `protocol` = try scanner.token()
        parameters = try scanner.headerParameters()
    }

    public var cause: Int? { parameters["cause"].flatMap { Int($0) } }

    public var text: String { `protocol` + parameters.text(separator: ";") }
}

/// A Call-ID: an opaque text (RFC 3261 §20.8).
public struct CallID: SIPHeaderValue {
    public var text: String

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        text = scanner.text(in: try scanner.skipWord())
    }

    public static func skip(in scanner: inout SIPScanner) throws(SIPParseError) { _ = try scanner.skipWord() }
}

extension SIPScanner {
    /// `type SLASH subtype`
    fileprivate mutating func skipTypes() throws(SIPParseError) -> (type: Range<Int>, subtype: Range<Int>) {
        let type = try skipToken()
        skipSpace()
        try expect(UInt8(ascii: "/"))
        skipSpace()
        return (type, try skipToken())
    }

    fileprivate mutating func skipWord() throws(SIPParseError) -> Range<Int> {
        let limit = reach { $0.isVisible }
        guard limit > offset else { throw error(.token) }
        return range(to: limit)
    }
}
