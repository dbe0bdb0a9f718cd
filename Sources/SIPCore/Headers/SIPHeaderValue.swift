/// A header's value, or one element of its list, with a grammar of its own.
///
/// A new header is a new conformance; nothing else changes.
public protocol SIPHeaderValue: Hashable, Sendable {
    /// Reads one element and stops behind it.
    init(from scanner: inout SIPScanner) throws(SIPParseError)
    /// Moves behind one element, with the faults that reading it has, but makes nothing of it.
    ///
    /// Reading and throwing away does; a type that every message has does it without allocating.
    static func skip(in scanner: inout SIPScanner) throws(SIPParseError)
    /// The element as it goes on the wire.
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
