/// The data that a caller wants to keep private (RFC 3323 §4.2, RFC 3325 §9.3): `id;critical`.
public struct Privacy: SIPHeaderValue {
    /// In lower case.
    public var values: [String]

    public init(_ values: [String]) {
        precondition(!values.isEmpty && values.allSatisfy { $0.utf8.allSatisfy(\.isToken) }, "a privacy is named")
        self.values = values.map(\.asciiLowercased)
    }

    /// The RFC separates the words by semicolons. Commas separate elements of the list, as in every list. Anything that
    /// is not a word is left out, because it must not disclose what the other words hide.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        values = []
        repeat {
            scanner.skipSpace()
            if let word = try? scanner.token() { values.append(word.asciiLowercased) }
            scanner.skip(to: .headerParameterEnd)
        } while scanner.skip(UInt8(ascii: ";"))
        guard !values.isEmpty else { throw scanner.error(.token) }
    }

    /// Whether only the account's own server may learn the caller's identity: `id`, or the wider `user` (RFC 3323
    /// §4.1).
    public var hidesIdentity: Bool { values.contains("id") || values.contains("user") }
    /// Whether the call must fail if this privacy cannot be provided.
    public var isCritical: Bool { values.contains("critical") }

    public var text: String { values.joined(separator: ";") }
}

extension SIPHeaders {
    /// The words of all lines together; nil when no privacy is asked for.
    public var privacy: Privacy? {
        get throws(SIPParseError) {
            let values = try list(.privacy, of: Privacy.self).flatMap(\.values)
            return values.isEmpty ? nil : Privacy(values)
        }
    }
}
