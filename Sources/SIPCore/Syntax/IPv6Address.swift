/// The grammar of an IPv6 address in text (RFC 3986 §3.2.2, RFC 5118 §4.1).
enum IPv6Address {
    private static let groups = 8
    private static let colon = UInt8(ascii: ":")
    private static let dot = UInt8(ascii: ".")

    /// Whether the text is an IPv6 address: eight groups of one to four hexadecimal digits. The last two groups may be
    /// written as an IPv4 address, and one run of zeros may be left out. Three colons before an IPv4 address count as
    /// two, because the grammar of RFC 3261 requires three (RFC 5118 §4.10). Cost: one pass over the text. Nothing is
    /// allocated, because every message with such a host is read this way.
    static func isWellFormed(_ text: ArraySlice<UInt8>) -> Bool {
        var (found, hasGap, isBehindGroup, rest) = (0, false, false, text)
        while !rest.isEmpty {
            if rest.first == colon, rest.dropFirst().first == colon {
                guard !hasGap else { return false }
                (hasGap, isBehindGroup) = (true, false)
                rest = rest.dropFirst(2)
                if rest.first == colon, isIPv4(rest.dropFirst()) { rest = rest.dropFirst() }
                continue
            }
            if isBehindGroup {
                guard rest.first == colon else { return false }
                rest = rest.dropFirst()
            }
            let digits = rest.prefix { $0.hexValue != nil }.count
            if rest.dropFirst(digits).first == dot {
                guard isIPv4(rest) else { return false }
                found += 2
                break
            }
            guard (1...4).contains(digits) else { return false }
            (found, isBehindGroup) = (found + 1, true)
            rest = rest.dropFirst(digits)
        }
        return hasGap ? found < groups : found == groups
    }

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        var (parts, rest) = (0, text)
        while true {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...3).contains(digits.count), digits.reduce(0, { $0 * 10 + Int($1 - 0x30) }) <= 255 else {
                return false
            }
            parts += 1
            rest = rest.dropFirst(digits.count)
            guard let next = rest.first else { return parts == 4 }
            guard next == dot else { return false }
            rest = rest.dropFirst()
        }
    }
}
