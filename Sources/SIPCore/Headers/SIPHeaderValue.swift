/// A header's value, or one element of its list, with a grammar of its own.
///
/// A new header is a new conformance; nothing else changes.
public protocol SIPHeaderValue: Hashable, Sendable {
    /// Reads one element and stops behind it.
    init(from scanner: inout SIPScanner) throws(SIPParseError)
    /// The element as it goes on the wire.
    var text: String { get }
}

extension SIPHeaderValue {
    /// Reads a value that is exactly one element.
    public init(_ text: String) throws(SIPParseError) {
        var scanner = SIPScanner(text)
        scanner.skipSpace()
        try self.init(from: &scanner)
        scanner.skipSpace()
        try scanner.expectEnd()
    }
}
