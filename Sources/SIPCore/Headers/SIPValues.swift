import Base

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
public struct CallIDHeader: SIPHeaderValue {
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

/// The number and method of a request (RFC 3261 §20.16).
public struct CSeq: SIPHeaderValue {
    /// Less than 2³¹ (RFC 3261 §8.1.1.5).
    public var number: UInt32
    public var method: SIPMethod

    public static let maximum: UInt32 = 1 << 31 - 1

    public init(_ number: UInt32, _ method: SIPMethod) {
        precondition(number <= Self.maximum, "a CSeq is less than 2^31")
        (self.number, self.method) = (number, method)
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        number = UInt32(try scanner.number(upTo: UInt64(Self.maximum)))
        guard let next = scanner.next, next.isSpace else { throw scanner.error(.token) }
        scanner.skipSpace()
        method = SIPMethod(token: try scanner.token())
    }

    public var text: String { "\(number) \(method)" }
}

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

/// When to try again, and how long the peer is reachable then (RFC 3261 §20.33): `120 (in a meeting);duration=3600`.
public struct RetryAfter: SIPHeaderValue {
    /// In seconds.
    public var seconds: UInt32
    /// A remark for people, without brackets and escapes.
    public var comment: String?
    public var parameters = SIPParameters()

    public init(seconds: UInt32) { self.seconds = seconds }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        seconds = try SIPNumber(from: &scanner).value
        scanner.skipSpace()
        if scanner.next == UInt8(ascii: "(") { comment = try scanner.comment() }
        parameters = try scanner.headerParameters()
    }

    /// How many seconds the peer can be reached then.
    public var duration: UInt32? { parameters.seconds("duration") }

    public var text: String {
        let remark = comment.map { " " + $0.inComment } ?? ""
        return "\(seconds)" + remark + parameters.text(separator: ";")
    }
}

extension SIPScanner {
    /// `comment` of RFC 3261 §25.1, without its outer brackets. Inner brackets come in pairs.
    fileprivate mutating func comment() throws(SIPParseError) -> String {
        let start = error(.quotedString)
        try expect(UInt8(ascii: "("))
        var content: [UInt8] = []
        var depth = 1
        while var byte = next {
            _ = skip(byte)
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case .backslash:
                guard let escaped = next, skip(escaped) else { throw start }
                byte = escaped
            default: break
            }
            if depth == 0 { return String(bytes: content[...]) }
            content.append(byte)
        }
        throw start
    }
}

extension String {
    /// The text in brackets. Brackets inside the text are escaped, paired or not.
    fileprivate var inComment: String {
        let marks: [UInt8] = [UInt8(ascii: "("), UInt8(ascii: ")"), .backslash]
        let escaped = onOneLine.utf8.flatMap { marks.contains($0) ? [.backslash, $0] : [$0] }
        return "(" + String(bytes: escaped[...]) + ")"
    }
}

extension SIPHeaders {
    public var retryAfter: RetryAfter? { get throws(SIPParseError) { try first(.retryAfter) } }
}

/// A description of a fault, for people (RFC 3261 §20.43): `370 example.net "Not enough bandwidth"`.
public struct SIPWarning: SIPHeaderValue {
    /// 300 to 399 in SIP; three digits.
    public var code: Int
    /// A host with its port, or a pseudonym for one.
    public var agent: String
    public var message: String

    public init(_ code: Int, agent: String, _ message: String) {
        precondition((100...999).contains(code), "a warning has three digits")
        (self.code, self.agent, self.message) = (code, agent, message)
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let start = scanner.error(.number(maximum: 999))
        code = Int(try scanner.number(upTo: 999))
        guard code >= 100 else { throw start }
        guard let next = scanner.next, next.isSpace else { throw scanner.error(.token) }
        scanner.skipSpace()
        agent = scanner.text { $0.isParameterValue }
        guard !agent.isEmpty else { throw scanner.error(.host) }
        scanner.skipSpace()
        message = try scanner.quotedString()
    }

    public var text: String { "\(code) \(agent) \(message.onOneLine.quoted)" }
}

extension SIPHeaders {
    public var warnings: [SIPWarning] { get throws(SIPParseError) { try list(.warning) } }
}

/// A word and its parameters, as peers actually write Alert-Info, Call-Info, Event and Answer-Mode. Examples:
/// `<http://a/b>;info=c`, `Bellcore-dr2`, `Auto;require`, `info=alert-autoanswer`, `;answer-after=0` (RFC 3261 §20.4
/// and §20.9, RFC 6665 §8.2.1, RFC 5373 §4).
public struct LooseValue: SIPHeaderValue {
    /// The text in angle brackets, or before the parameters; empty when there are only parameters.
    public var word: String
    public var parameters = SIPParameters()

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        word = ""
        if scanner.skip(UInt8(ascii: "<")) {
            word = scanner.text { $0 != UInt8(ascii: ">") }
            try scanner.expect(UInt8(ascii: ">"))
        } else if scanner.beginsWithParameter {
            let (name, written) = try scanner.genericParameter()
            parameters.append(name, written: written)
        } else {
            let words = scanner.text { !Array(";,<>\"".utf8).contains($0) }
            word = String(decoding: words.utf8.reversed().drop { $0.isSpace }.reversed(), as: UTF8.self)
            guard !word.isEmpty || scanner.next == UInt8(ascii: ";") else { throw scanner.error(.token) }
        }
        for parameter in try scanner.headerParameters().all {
            parameters.append(parameter.name, written: parameter.written)
        }
    }

    public var text: String { (word.isEmpty ? "" : "<\(word)>") + parameters.text(separator: ";") }
}

extension SIPScanner {
    /// Whether a parameter such as `info=…` is in the place of the word.
    fileprivate var beginsWithParameter: Bool {
        var ahead = self
        return !ahead.text { $0.isToken }.isEmpty && ahead.next == UInt8(ascii: "=")
    }
}
