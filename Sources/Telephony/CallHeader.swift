/// A header of one call, for its far end. SIP carries it as it is.
public struct CallHeader: Hashable, Codable, Sendable {
    public static let nameBytes = 64
    public static let valueBytes = 512

    public let name: String
    public let value: String

    /// - Returns: Nil for an invalid header. The name must be a token that begins with `X-`, of at most `nameBytes`.
    ///   The value must have no control characters and at most `valueBytes`.
    public init?(_ name: String, _ value: String) {
        guard name.utf8.count > 2, name.utf8.count <= Self.nameBytes,
            name.prefix(2).lowercased() == "x-", name.utf8.allSatisfy(Self.isToken),
            value.utf8.count <= Self.valueBytes, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        (self.name, self.value) = (name, value)
    }

    /// RFC 3261 §25.1.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-.!%*_+`'~".utf8.contains(byte)
        }
    }
}
