/// What a caller does not want to be told of it (RFC 3323 §4.2, RFC 3325 §9.3): `id;critical`.
public struct Privacy: SIPHeaderValue {
    /// In lower case.
    public var values: [String]

    public init(_ values: [String]) {
        precondition(!values.isEmpty && values.allSatisfy { $0.utf8.allSatisfy(\.isToken) }, "a privacy is named")
        self.values = values.map(\.asciiLowercased)
    }

    /// The RFC puts semicolons between the words; commas are read as such by the list.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        values = [try scanner.token().asciiLowercased]
        scanner.skipSpace()
        while scanner.skip(UInt8(ascii: ";")) {
            scanner.skipSpace()
            values.append(try scanner.token().asciiLowercased)
            scanner.skipSpace()
        }
    }

    /// Nobody but the account's own server may learn who calls: `id`, or the wider `user` (RFC 3323 §4.1).
    public var hidesIdentity: Bool { values.contains("id") || values.contains("user") }
    /// Better no call than one without this.
    public var isCritical: Bool { values.contains("critical") }

    public var text: String { values.joined(separator: ";") }
}

extension SIPHeaders {
    /// Of all lines together; nil when nothing is asked for.
    public var privacy: Privacy? {
        get throws(SIPParseError) {
            let values = try list(.privacy, of: Privacy.self).flatMap(\.values)
            return values.isEmpty ? nil : Privacy(values)
        }
    }
}
