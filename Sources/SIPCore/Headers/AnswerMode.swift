/// Whether somebody must touch the phone to answer (RFC 5373 §4): `Auto;require`. For Answer-Mode and, with more
/// weight, Priv-Answer-Mode.
public struct AnswerMode: SIPHeaderValue {
    /// `auto`, `manual`, or a word of somebody else's, in lower case.
    public var mode: String
    public var parameters = SIPParameters()

    public init(isAutomatic: Bool) { mode = isAutomatic ? "auto" : "manual" }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        mode = try scanner.token().asciiLowercased
        parameters = try scanner.headerParameters()
    }

    public var isAutomatic: Bool { mode == "auto" }
    /// Else the call is to be refused.
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
