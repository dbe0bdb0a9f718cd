import NIOCore

/// The names and addresses of this phone.
///
/// A hostile page can point its own name to this phone (DNS rebinding). Its requests then look to the browser like
/// those of the same origin. They carry that name, so the phone rejects requests for any other name than its own.
struct OwnHosts {
    private let names: Set<String>

    /// - Parameter names: Names besides `localhost`.
    init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() } + ["localhost"]) }

    /// - Parameters:
    ///   - host: The header `Host`, with or without a port.
    ///   - local: The phone's address of the connection.
    func include(_ host: String, local: SocketAddress?) -> Bool {
        guard let name = Self.name(of: host.lowercased()) else { return false }
        if names.contains(name) { return true }
        // A numeric address is no name that somebody could redirect.
        guard let address = try? SocketAddress(ipAddress: name, port: 0) else { return false }
        return address.isLoopback || address.ipAddress == local?.ipAddress
    }

    /// The name without the port, and without the brackets of an IPv6 address (RFC 3986 §3.2.2).
    private static func name(of host: String) -> String? {
        if host.hasPrefix("[") {
            let parts = host.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].isEmpty || isPort(parts[1]) else { return nil }
            return String(parts[0])
        }
        guard let colon = host.firstIndex(of: ":") else { return host }
        return isPort(host[colon...]) ? String(host[..<colon]) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension SocketAddress {
    fileprivate var isLoopback: Bool { ipAddress == "::1" || (ipAddress?.hasPrefix("127.") == true && isVersion4) }

    private var isVersion4: Bool { if case .v4 = self { true } else { false } }

    /// The key for counting guesses: an IPv4 address, or the network of an IPv6 address. One host may have that whole
    /// network (RFC 6177 §2).
    var guesser: [UInt8] {
        // The address follows family and port, and for IPv6 also the flow label.
        let place =
            switch self {
            case .v4: 4..<8
            case .v6: 8..<16
            case .unixDomainSocket: 0..<0
            }
        return unsafe withSockAddr { address, length in
            unsafe Array(UnsafeRawBufferPointer(start: address, count: length)[place])
        }
    }
}
