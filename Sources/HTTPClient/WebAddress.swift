import Base

/// A checked address of a web server's resource. libcurl gets the text that is built from its parts, so that both mean
/// the same host.
///
/// Stricter than RFC 3986: no user, no fragment, only ASCII, and an IPv4 address only as four decimal numbers.
package struct WebAddress: Equatable, Sendable {
    package enum Scheme: String, Sendable {
        case http
        case https

        var usualPort: UInt16 { self == .http ? 80 : 443 }
    }

    package struct Malformed: Error, Equatable {
        package let why: String

        package init(_ why: String) { self.why = why }
    }

    package let scheme: Scheme
    /// In lower case. A numeric IPv6 address is without its brackets.
    package let host: String
    package let port: UInt16
    /// Path and query, from the first slash on.
    package let target: String

    private static let longest = 2_048

    package init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= Self.longest else { throw Malformed("the address is too long") }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased())
        else { throw Malformed("the address does not begin with https://") }
        let rest = text[colon...].dropFirst(3)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        (host, port) = try Self.authority(rest[..<end], of: scheme)
        let target = rest[end...]
        self.scheme = scheme
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
        guard Self.isTarget(self.target) else {
            throw Malformed("the address has a character that it may not have")
        }
        guard self.text.utf8.count <= Self.longest else { throw Malformed("the address is too long") }
        guard scheme == .https || isLoopback else {
            throw Malformed("http:// is allowed only to this machine; use https://")
        }
    }

    private init(_ other: WebAddress, target: String) throws(Malformed) {
        (scheme, host, port) = (other.scheme, other.host, other.port)
        self.target = target
        guard text.utf8.count <= Self.longest else { throw Malformed("the address is too long") }
        guard Self.isTarget(target) else { throw Malformed("the address has a character that it may not have") }
    }

    package var text: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(host)" + (port == scheme.usualPort ? "" : ":\(port)") + target
    }

    /// Whether it is on this machine, by its text: no resolver can make another machine of it.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || (Self.isIPv4(host) && host.hasPrefix("127."))
    }

    private var path: String { target.firstIndex(of: "?").map { String(target[..<$0]) } ?? target }

    package func hasSameServer(as other: WebAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    // MARK: Parts

    private static func authority(_ text: Substring, of scheme: Scheme) throws(Malformed) -> (String, UInt16) {
        guard !text.contains("@") else { throw Malformed("the address has a user name, which is not supported") }
        let isBracketed = text.hasPrefix("[")
        let end = isBracketed ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
        let name = text[..<(end ?? text.endIndex)]
        let rest = text[(end ?? text.endIndex)...]
        var port = scheme.usualPort
        if !rest.isEmpty {
            let digits = rest.dropFirst()
            guard rest.hasPrefix(":"), digits.utf8.allSatisfy(isDigit), let given = UInt16(digits), given > 0 else {
                throw Malformed("the address has a wrong port")
            }
            port = given
        }
        let host = isBracketed ? name.dropFirst().dropLast() : name
        let isRight = isBracketed ? end != nil && isIPv6(host) : isName(host)
        guard isRight else { throw Malformed("the address has no valid host name") }
        return (host.lowercased(), port)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a") <= byte | 0x20 && byte | 0x20 <= UInt8(ascii: "z")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a") <= byte | 0x20 && byte | 0x20 <= UInt8(ascii: "f")
    }

    /// A host name, or an IPv4 address. Other numeric forms of an address (`127.1`, `0x7f.1`) are neither.
    private static func isName(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(text.utf8.count), let last = labels.last?.utf8, let first = last.first else {
            return false
        }
        if isDigit(first) { return isIPv4(String(text)) }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy {
                    isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
    }

    private static func isIPv4(_ text: String) -> Bool {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { number in
                number.utf8.allSatisfy(isDigit) && UInt8(number) != nil && (number.count == 1 || number.first != "0")
            }
    }

    /// Only its characters are checked: libcurl refuses what is not an address, and the brackets exclude a name.
    private static func isIPv6(_ text: Substring) -> Bool {
        (2...45).contains(text.utf8.count) && text.contains(":")
            && text.utf8.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    /// The characters of a path and a query (RFC 3986 §3.3, §3.4).
    private static func isTarget(_ text: String) -> Bool {
        text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-._~!$&'()*+,;=:@/?%".utf8.contains($0) }
    }

    // MARK: References

    /// Resolves a reference, as a header `Location` has it (RFC 3986 §5.2, RFC 9110 §10.2.2). Its fragment is dropped.
    package func resolve(_ reference: String) throws(Malformed) -> WebAddress {
        let text = reference.prefix { $0 != "#" }
        if text.isEmpty { return self }
        if text.hasPrefix("//") { return try WebAddress("\(scheme.rawValue):\(text)") }
        if text.hasPrefix("/") { return try WebAddress(self, target: Self.withoutDots(text)) }
        if text.hasPrefix("?") { return try WebAddress(self, target: path + text) }
        // A colon before the first slash ends a scheme.
        if let colon = text.firstIndex(of: ":"), !text[..<colon].contains(where: { "/?".contains($0) }) {
            let absolute = try WebAddress(String(text))
            return try WebAddress(absolute, target: Self.withoutDots(absolute.target[...]))
        }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return try WebAddress(self, target: Self.withoutDots(folder + text))
    }

    /// Removes the segments `.` and `..` of the path (RFC 3986 §5.2.4).
    private static func withoutDots(_ target: some StringProtocol) -> String {
        let path = target.firstIndex(of: "?").map { String(target[..<$0]) } ?? String(target)
        var segments: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            switch part {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/") + target.dropFirst(path.count)
    }
}
