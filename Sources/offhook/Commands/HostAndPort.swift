import ArgumentParser

/// `host`, `host:port`, `[v6]` or `[v6]:port`.
enum HostAndPort {
    static func parse(_ text: String) throws -> (host: String, port: UInt16?) {
        let wrong = ValidationError("\"\(text)\" is no server; expected NAME, NAME:PORT, ADDRESS or [IPV6]:PORT")
        let (host, rest) = try split(text, wrong)
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { throw wrong }
        guard let rest else { return (host, nil) }
        guard let port = UInt16(rest), port > 0 else { throw wrong }
        return (host, port)
    }

    private static func split(_ text: String, _ wrong: ValidationError) throws -> (String, Substring?) {
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { throw wrong }
            let rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw wrong }
            return (String(text[..<close].dropFirst()), rest.isEmpty ? nil : rest.dropFirst())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return (text, nil)
        case 2: return (String(parts[0]), parts[1])
        default: throw wrong
        }
    }
}
