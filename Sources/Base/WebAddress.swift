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

    /// Why a text is no such address.
    package enum Fault: String, Error, Equatable, Sendable {
        case tooLong = "the address is too long"
        case scheme = "the address does not begin with https://"
        case characters = "the address has a character that it may not have"
        case clear = "http:// is allowed only to this machine; use https://"
        case user = "the address has a user name, which is not supported"
        case authority = "the address has a wrong port, or brackets without an IPv6 address"
        case host = "the address has no valid host name"
    }

    package let scheme: Scheme
    /// In lower case. A numeric IPv6 address is without its brackets.
    package let host: String
    package let port: UInt16
    /// Path and query, from the first slash on.
    package let target: String

    private static let longest = 2_048

    package init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased())
        else { throw .scheme }
        let rest = text[colon...].dropFirst(3)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        (host, port) = try Self.authority(rest[..<end], of: scheme)
        let target = rest[end...]
        self.scheme = scheme
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
        guard Self.isTarget(self.target) else { throw .characters }
        guard self.text.utf8.count <= Self.longest else { throw .tooLong }
    }

    private init(_ other: WebAddress, target: String) throws(Fault) {
        (scheme, host, port) = (other.scheme, other.host, other.port)
        self.target = target
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard Self.isTarget(target) else { throw .characters }
    }

    package var text: String {
        "\(scheme.rawValue)://\(host.inBrackets)" + (port == scheme.usualPort ? "" : ":\(port)") + target
    }

    /// Whether it is on this machine, by its text: no resolver can make another machine of it (RFC 6761 §6.3).
    package var isLoopback: Bool { Self.isLoopback(host) }

    private var path: String { target.firstIndex(of: "?").map { String(target[..<$0]) } ?? target }

    package func hasSameServer(as other: WebAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    // MARK: Parts

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || IPAddress(host)?.isLoopback == true
    }

    private static func authority(_ text: Substring, of scheme: Scheme) throws(Fault) -> (String, UInt16) {
        guard !text.contains("@") else { throw .user }
        guard let authority = HostAndPort(text) else { throw .authority }
        guard scheme == .https || isLoopback(authority.host.lowercased()) else { throw .clear }
        guard authority.isVersion6 || isName(authority.host) else { throw .host }
        return (authority.host.lowercased(), authority.port ?? scheme.usualPort)
    }

    /// A host name, or an IPv4 address. Other numeric forms of an address (`127.1`, `0x7f.1`) are neither.
    private static func isName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(text.utf8.count), let first = labels.last?.utf8.first else { return false }
        if first.isDigit { return IPAddress(text) != nil }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
        }
    }

    /// The characters of a path and a query (RFC 3986 §3.3, §3.4).
    private static func isTarget(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._~!$&'()*+,;=:@/?%".utf8.contains($0) }
    }

    // MARK: References

    /// Resolves a reference, as a header `Location` has it (RFC 3986 §5.2, RFC 9110 §10.2.2). Its fragment is dropped.
    package func resolve(_ reference: String) throws(Fault) -> WebAddress {
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
