/// An absolute address of a server: `https://…`, or `http://…` on this machine.
public struct BackendURL: Hashable, Codable, Sendable {
    public enum Fault: String, Error, Equatable, Sendable {
        case notAbsolute = "it has to begin with https:// and a host"
        case clear = "http:// is allowed for this machine only"
        case userInfo = "it must not have a name or a password"
        case fragment = "it must not have a fragment (#)"
        case characters = "it has characters that a URL must not have"
        case tooLong = "it is too long"
    }

    public static let longest = 1_024

    /// The whole URL, as given.
    public let text: String
    public let isSecure: Bool
    /// Host and port, in lower case.
    public let authority: String

    public init(_ given: String) throws(Fault) {
        guard given.utf8.count <= Self.longest else { throw .tooLong }
        // Visible ASCII without the characters that RFC 3986 §2 leaves out.
        guard given.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"<>"\^`{|}"#.utf8.contains($0) }) else {
            throw .characters
        }
        guard !given.contains("#") else { throw .fragment }
        let lower = given.lowercased()
        let (secure, clear) = (lower.hasPrefix("https://"), lower.hasPrefix("http://"))
        guard secure || clear else { throw .notAbsolute }
        let rest = lower.dropFirst(secure ? 8 : 7)
        let authority = String(rest.prefix { $0 != "/" && $0 != "?" })
        guard !authority.contains("@") else { throw .userInfo }
        guard let host = Self.host(authority), !host.isEmpty else { throw .notAbsolute }
        guard secure || Self.isLoopback(host) else { throw .clear }
        (text, isSecure, self.authority) = (given, secure, authority)
    }

    /// The URL without a slash at its end.
    var folder: String { text.last == "/" ? String(text.dropLast()) : text }

    /// The URL of a path that begins with a slash.
    func appending(_ path: String) -> String { folder + path }

    /// Nil if the port is not a number, or if the brackets of an IPv6 address do not match.
    private static func host(_ authority: String) -> String? {
        var (host, port) = (authority[...], ""[...])
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            port = authority[authority.index(after: end)...]
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[colon...]
        }
        guard port.isEmpty || (port.hasPrefix(":") && isNumber(port.dropFirst(), in: 1...65_535)) else { return nil }
        return String(host)
    }

    /// Only digits: `Int` also reads a sign.
    private static func isNumber(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && Int(text).map(range.contains) == true
    }

    /// Only names and addresses that no resolver can send elsewhere (RFC 6761 §6.3).
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { isNumber($0, in: 0...255) } && parts[0] == "127"
        return host == "localhost" || host == "[::1]" || isIPv4
    }
}
