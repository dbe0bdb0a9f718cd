/// Why bytes are no valid JSON text, and where.
public struct JSONError: Error, Equatable, Sendable {
    public enum Kind: String, Equatable, Sendable {
        case unexpectedEnd = "the text ends too early"
        case unexpectedByte = "a byte that cannot stand here"
        case trailingBytes = "something follows the value"
        case tooDeep = "nested too deeply"
        case badEscape = "an escape that means nothing"
        case badEncoding = "bytes that are not UTF-8"
        case numberOutOfRange = "a number that is too large"
        case duplicateMember = "a member named twice"
    }

    public let kind: Kind
    /// Index of the byte at which reading stopped.
    public let offset: Int
}

extension JSONError: CustomStringConvertible {
    public var description: String { "\(kind.rawValue) (byte \(offset))" }
}
