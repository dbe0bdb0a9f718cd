extension IPAddress {
    /// Whether packets to it stay within the machine.
    public var isLoopback: Bool {
        isVersion6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// Whether packets to it stay within the link (RFC 3927, RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        isVersion6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
    }

    /// Whether the address can belong to one host. Excludes multicast, broadcast, unspecified addresses, and IPv6 forms
    /// of IPv4 addresses, which could hide any of these.
    var isOneHost: Bool {
        guard isVersion6 else { return bytes[0] != 0 && bytes[0] < 224 }
        return bytes[0] != 0xFF && (isLoopback || !bytes.prefix(12).allSatisfy { $0 == 0 })
            && !(bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF)
    }
}
