/// What a caller does not want to be told of it (RFC 3323 §4.2, RFC 3325 §9.3): `id;critical`.
public struct Privacy: SIPHeaderValue {
    /// In lower case.
    public var wishes: [String]

    public init(_ wishes: [String]) {
        precondition(!wishes.isEmpty && wishes.allSatisfy { $0.utf8.allSatisfy(\.isToken) }, "a privacy is named")
        self.wishes = wishes.map(\.asciiLowercased)
    }

    /// The RFC puts semicolons between the words; commas are read as such by the list.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        wishes = [try scanner.token().asciiLowercased]
        scanner.skipSpace()
        while scanner.skip(UInt8(ascii: ";")) {
            scanner.skipSpace()
            wishes.append(try scanner.token().asciiLowercased)
            scanner.skipSpace()
        }
    }

    /// Nobody but the account's own server may learn who calls: `id`, or the wider `user` (RFC 3323 §4.1).
    public var hidesIdentity: Bool { wishes.contains("id") || wishes.contains("user") }
    /// Better no call than one without this.
    public var isCritical: Bool { wishes.contains("critical") }

    public var text: String { wishes.joined(separator: ";") }
}

extension SIPHeaders {
    /// Of all lines together; nil when nothing is asked for.
    public var privacy: Privacy? {
        get throws(SIPParseError) {
            let wishes = try list(.privacy, of: Privacy.self).flatMap(\.wishes)
            return wishes.isEmpty ? nil : Privacy(wishes)
        }
    }
}
