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

/// The number of a reliable provisional response (RFC 3262 §7.1).
public struct RSeq: SIPHeaderValue {
    /// 1 to 2³² - 1; a first one is below 2³¹ (RFC 3262 §3).
    public var number: UInt32

    public init(_ number: UInt32) {
        precondition(number > 0, "an RSeq counts from one")
        self.number = number
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let start = scanner.error(.number(maximum: UInt64(UInt32.max)))
        number = UInt32(try scanner.number(upTo: UInt64(UInt32.max)))
        guard number > 0 else { throw start }
    }

    public var text: String { "\(number)" }
}

/// The reliable response that a PRACK acknowledges: its RSeq, and the CSeq of the request that it answers (RFC 3262
/// §7.2).
public struct RAck: SIPHeaderValue {
    public var response: RSeq
    public var request: CSeq

    public init(_ response: RSeq, of request: CSeq) { (self.response, self.request) = (response, request) }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        response = try RSeq(from: &scanner)
        guard let next = scanner.next, next.isSpace else { throw scanner.error(.token) }
        scanner.skipSpace()
        request = try CSeq(from: &scanner)
    }

    public var text: String { "\(response.text) \(request.text)" }
}

extension SIPHeaders {
    public var rSeq: RSeq? { get throws(SIPParseError) { try single(.rSeq) } }
    public var rAck: RAck? { get throws(SIPParseError) { try single(.rAck) } }
}

/// Whether the called user must answer by hand (RFC 5373 §4): `Auto;require`. Used for Answer-Mode and for its
/// privileged form, Priv-Answer-Mode.
public struct AnswerMode: SIPHeaderValue {
    /// `auto`, `manual`, or an unknown word, in lower case.
    public var mode: String
    public var parameters = SIPParameters()

    public init(isAutomatic: Bool) { mode = isAutomatic ? "auto" : "manual" }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        mode = try scanner.token().asciiLowercased
        parameters = try scanner.headerParameters()
    }

    public var isAutomatic: Bool { mode == "auto" }
    /// Whether the call is to be refused if the mode cannot be honoured.
    public var isRequired: Bool { parameters.contains("require") }

    public var text: String {
        let word = mode == "auto" ? "Auto" : mode == "manual" ? "Manual" : mode
        return word + parameters.text(separator: ";")
    }
}

extension SIPHeaders {
    public var answerMode: AnswerMode? { get throws(SIPParseError) { try single(.answerMode) } }
    public var privAnswerMode: AnswerMode? { get throws(SIPParseError) { try single(.privAnswerMode) } }
}
