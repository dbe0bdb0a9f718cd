import Base

/// A numeric address without a port: four bytes or sixteen, in network order.
public struct IPAddress: Hashable, Sendable {
    /// 4 bytes for IPv4, 16 for IPv6.
    public let bytes: [UInt8]

    /// Nil unless there are 4 or 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads `192.0.2.7` or `2001:db8::7`, without brackets and without a zone (RFC 4291 §2.2). Nil for any other text.
    public init?(_ text: String) {
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.version6(text) : Self.version4(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Reads an address that may be followed by a zone (RFC 4007 §11). The zone is dropped, because it has a meaning
    /// only on its own machine.
    public init?(zoned text: String) { self.init(String(text.prefix { $0 != "%" })) }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The unspecified IPv4 address, `0.0.0.0`.
    public static let unspecified = IPAddress([0, 0, 0, 0])

    /// An IPv4 address as an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). An IPv6 address is unchanged.
    public var mapped: IPAddress {
        isVersion6 ? self : IPAddress([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes)
    }

    public var isVersion6: Bool { bytes.count == 16 }

    /// The text form of RFC 5952 §4.
    public var text: String {
        guard isVersion6 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
        let hidden = Self.longestZeros(groups)
        let words = groups.map { String($0, radix: 16) }
        guard let hidden else { return words.joined(separator: ":") }
        return words[..<hidden.lowerBound].joined(separator: ":") + "::"
            + words[hidden.upperBound...].joined(separator: ":")
    }

    /// The first longest run of at least two zero groups.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
        var best: Range<Int>?
        var index = 0
        while index < groups.count {
            let end: Int = groups[index...].firstIndex { $0 != 0 } ?? groups.count
            if end - index >= max(2, (best?.count ?? 0) + 1) { best = index..<end }
            index = max(end, index) + 1
        }
        return best
    }

    private static func version4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part in
            // Some parsers read a number with a leading zero as octal.
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } && (part.count == 1 || part.first != "0")
                ? UInt8(part) : nil
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: String) -> [UInt8]? {
        let halves = text.parts(between: "::")
        guard halves.count <= 2, let front = halves.first.flatMap({ groups($0, mayEndInVersion4: halves.count == 1) })
        else { return nil }
        guard halves.count == 2 else { return front.count == 16 ? front : nil }
        guard let back = groups(halves[1], mayEndInVersion4: true), front.count + back.count <= 14 else { return nil }
        return front + [UInt8](repeating: 0, count: 16 - front.count - back.count) + back
    }

    private static func groups(_ text: Substring, mayEndInVersion4: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if mayEndInVersion4, index == parts.count - 1, part.contains(".") {
                guard let last = version4(String(part)) else { return nil }
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexadecimal),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}

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

/// IPv4 or IPv6. Sockets and relayed addresses have one of them.
public enum IPFamily: Hashable, Sendable { case version4, version6 }

extension IPAddress {
    public var family: IPFamily { isVersion6 ? .version6 : .version4 }
}

/// The source or destination of a datagram.
public struct TransportAddress: Hashable, Sendable {
    public let address: IPAddress
    public let port: UInt16

    public init(_ address: IPAddress, _ port: UInt16) { (self.address, self.port) = (address, port) }
}
