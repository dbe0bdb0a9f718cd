/// A header's value, or one element of its list, with its own grammar.
///
/// A new header needs only a new conformance.
public protocol SIPHeaderValue: Hashable, Sendable {
    /// Reads one element and stops after it.
    init(from scanner: inout SIPScanner) throws(SIPParseError)
    /// Skips one element with the same faults as reading it, but without a result.
    ///
    /// The default reads the element and discards it. Types that most messages have skip it without allocating.
    static func skip(in scanner: inout SIPScanner) throws(SIPParseError)
    /// The element in wire format.
    var text: String { get }
}

extension SIPHeaderValue {
    public static func skip(in scanner: inout SIPScanner) throws(SIPParseError) { _ = try Self(from: &scanner) }

    /// Reads a value that is exactly one element.
    public init(_ text: String) throws(SIPParseError) {
        var scanner = SIPScanner(text)
        scanner.skipSpace()
        try self.init(from: &scanner)
        scanner.skipSpace()
        try scanner.expectEnd()
    }
}
