import ArgumentParser
import ICECore
import Lines

/// Parses `host`, `host:port`, `[v6]` or `[v6]:port`.
enum HostAndPort {
    static func parse(_ text: String) throws -> (host: String, port: UInt16?) {
        let wrong = ValidationError("\"\(text)\" is no server; expected NAME, NAME:PORT, ADDRESS or [IPV6]:PORT")
        let (host, rest) = try split(text, wrong)
        guard let rest else { return (host, nil) }
        guard rest.utf8.allSatisfy(isDigit), let port = UInt16(rest), port > 0 else { throw wrong }
        return (host, port)
    }

    /// Parses host and port of an account's server. A WebSocket server may have a path, which stays with the host.
    static func parse(server text: String, allowsPath: Bool) throws -> (host: String, port: UInt16?) {
        guard allowsPath, let slash = text.firstIndex(of: "/") else { return try parse(text) }
        let (host, port) = try parse(String(text[..<slash]))
        let path = String(text[slash...])
        guard LineSettings.isWebSocketPath(path) else {
            throw ValidationError("\"\(path)\" is no path; expected visible ASCII characters except #")
        }
        return (host + path, port)
    }

    /// A name or a numeric address, without brackets.
    static func isHost(_ text: String) -> Bool { isName(text[...]) || IPAddress(text)?.isVersion6 == true }

    private static func split(_ text: String, _ wrong: ValidationError) throws -> (String, Substring?) {
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { throw wrong }
            let (host, rest) = (String(text[..<close].dropFirst()), text[text.index(after: close)...])
            guard IPAddress(host)?.isVersion6 == true, rest.isEmpty || rest.hasPrefix(":") else { throw wrong }
            return (host, rest.isEmpty ? nil : rest.dropFirst())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, isName(host) else { throw wrong }
        return (String(host), parts.count == 2 ? parts[1] : nil)
    }

    /// Allows the characters of RFC 1123 names and IPv4 addresses, and the underscore that some networks use.
    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
                default: isDigit(byte)
                }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
