extension IPAddress {
    /// Whether packets to it stay within the machine.
    public var isLoopback: Bool {
        isVersion6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// Whether packets to it stay within the link (RFC 3927, RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        isVersion6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
    }

    /// Whether one host can have it: not a group, not everyone, not nobody, and no other form of an IPv4 address, under
    /// which any of these could hide.
    var isOneHost: Bool {
        guard isVersion6 else { return bytes[0] != 0 && bytes[0] < 224 }
        return bytes[0] != 0xFF && (isLoopback || !bytes.prefix(12).allSatisfy { $0 == 0 })
            && !(bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF)
    }
}
