import NIOCore

/// The names and addresses by which this phone is reached.
///
/// A page of a stranger can have its own name point to this phone (DNS rebinding), and then its requests look to the
/// browser like those of its own origin. They carry that name, so a request for any other name than ours is refused.
struct OwnHosts {
    private let names: Set<String>

    /// - Parameter names: Beside `localhost`.
    init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() } + ["localhost"]) }

    /// - Parameters:
    ///   - host: As the header `Host` has it, with or without a port.
    ///   - local: The own address of the connection.
    func include(_ host: String, local: SocketAddress?) -> Bool {
        guard let name = Self.name(of: host.lowercased()) else { return false }
        if names.contains(name) { return true }
        // A numeric address is no name that anybody could point here.
        guard let address = try? SocketAddress(ipAddress: name, port: 0) else { return false }
        return address.isLoopback || address.ipAddress == local?.ipAddress
    }

    /// Without the port, and without the brackets of an IPv6 address (RFC 3986 §3.2.2).
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

    /// What tells guessers apart: an IPv4 address, or the network of an IPv6 address, which one host has whole
    /// (RFC 6177 §2).
    var guesser: [UInt8] {
        // Behind family and port, and with IPv6 behind the label of the flow.
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
