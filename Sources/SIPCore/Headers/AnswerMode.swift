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
