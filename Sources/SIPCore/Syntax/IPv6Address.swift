/// The grammar of an IPv6 address in text (RFC 3986 §3.2.2, RFC 5118 §4.1).
enum IPv6Address {
    private static let groups = 8

    /// Whether the text is an IPv6 address: eight groups of one to four hexadecimal digits. The last two groups may be
    /// written as an IPv4 address, and one run of zeros may be left out. Three colons before an IPv4 address count as
    /// two, because the grammar of RFC 3261 asks for three (RFC 5118 §4.10).
    static func isWellFormed(_ text: String) -> Bool {
        var halves = text.split(separator: "::", omittingEmptySubsequences: false)
        if halves.count == 2, halves[1].first == ":", isIPv4(halves[1].dropFirst()) { halves[1].removeFirst() }
        switch halves.count {
        case 1: return count(halves[0], mayEndInIPv4: true) == groups
        case 2:
            // The part before the gap cannot end in an IPv4 address, because an IPv4 address is always at the end of
            // the whole.
            guard let before = count(halves[0], mayEndInIPv4: false), let after = count(halves[1], mayEndInIPv4: true)
            else { return false }
            return before + after < groups
        case _: return false
        }
    }

    /// The number of groups; nil when the text is not a list of groups.
    private static func count(_ text: some StringProtocol, mayEndInIPv4: Bool) -> Int? {
        guard !text.isEmpty else { return 0 }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last else { return nil }
        let endsInIPv4 = mayEndInIPv4 && last.contains(".")
        guard !endsInIPv4 || isIPv4(last) else { return nil }
        let plain = endsInIPv4 ? parts.dropLast() : parts[...]
        guard plain.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.hexValue != nil } }) else {
            return nil
        }
        return plain.count + (endsInIPv4 ? 2 : 0)
    }

    private static func isIPv4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && UInt8(part) != nil
            }
    }
}
