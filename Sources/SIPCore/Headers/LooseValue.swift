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
