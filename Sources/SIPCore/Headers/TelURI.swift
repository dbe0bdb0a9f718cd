/// `tel:+15551234;phone-context=…` (RFC 3966).
public struct TelURI: Hashable, Sendable {
    /// Digits, `*`, `#`, A–D, with a leading `+` when it is global; visual separators as written.
    public var number: String
    public var parameters: SIPParameters

    init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let marks = Array("+-.()*#".utf8)
        number = scanner.text { $0.hexValue != nil || marks.contains($0) }
        guard !number.isEmpty else { throw scanner.error(.userinfo) }
        parameters = try scanner.uriParameters()
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
