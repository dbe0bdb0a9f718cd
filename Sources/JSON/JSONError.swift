/// Why bytes are not valid JSON text, and where.
public struct JSONError: Error, Equatable, Sendable {
    public enum Kind: String, Equatable, Sendable {
        case unexpectedEnd = "the text ends too early"
        case unexpectedByte = "unexpected byte"
        case trailingBytes = "bytes after the value"
        case tooDeep = "nested too deeply"
        case badEscape = "invalid escape"
        case badEncoding = "bytes that are not UTF-8"
        case numberOutOfRange = "a number that is too large"
        case duplicateMember = "duplicate member name"
    }

    public let kind: Kind
    /// Index of the byte at which reading stopped.
    public let offset: Int
}

extension JSONError: CustomStringConvertible {
    public var description: String { "\(kind.rawValue) (byte \(offset))" }
}
