/// `tel:+15551234;phone-context=…` (RFC 3966).
public struct TelURI: Hashable, Sendable {
    /// Digits, `*`, `#`, A–F, with a leading `+` when the number is global; visual separators as written.
    public var number: String
    public var parameters: SIPParameters

    /// Makes a URI of ranges that were read already.
    init(number: Range<Int>, parameters: Range<Int>, in scanner: SIPScanner) throws(SIPParseError) {
        self.number = scanner.text(in: number)
        var behind = scanner.part(parameters)
        self.parameters = try behind.uriParameters()
    }

    public var text: String { "tel:" + number + parameters.text(separator: ";") }

    /// The number without visual separators.
    public var digits: String {
        let separators = Array("-.()".utf8)
        return String(decoding: number.utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    /// RFC 3966 §4: separators and case do not count, parameters do.
    public func isEquivalent(to other: TelURI) -> Bool {
        digits.equalsIgnoringCase(other.digits) && parameters.all.count == other.parameters.all.count
            && parameters.all.allSatisfy { parameter in
                other.parameters[parameter.name]?.equalsIgnoringCase(parameter.written ?? "") ?? false
            }
    }
}

extension SIPScanner {
    /// Reads digits and the characters that may be between them.
    mutating func skipNumber() throws(SIPParseError) -> Range<Int> {
        let limit = reach { $0.hexValue != nil || SIPByteSet.dialled.contains($0) }
        guard limit > offset else { throw error(.userinfo) }
        return range(to: limit)
    }
}
