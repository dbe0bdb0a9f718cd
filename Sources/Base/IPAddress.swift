/// A numeric address without a port. It has a fixed size, so it fits through rings and compares without allocating.
public struct IPAddress: Hashable, BitwiseCopyable, Sendable {
    private static let mappedPrefix: UInt64 = 0xFFFF_0000_0000

    /// The address as IPv6 in two halves, as numbers. IPv4 is stored as the IPv4-mapped address (RFC 4291 §2.5.5.2).
    package let high: UInt64
    package let low: UInt64
    /// Distinguishes an IPv4 address from the same address in its IPv4-mapped form.
    public let isVersion6: Bool

    /// An IPv6 address, of which an IPv4-mapped one stays IPv6.
    package init(high: UInt64, low: UInt64) { (self.high, self.low, isVersion6) = (high, low, true) }

    package init(version4: UInt32) { (high, low, isVersion6) = (0, Self.mappedPrefix | UInt64(version4), false) }

    /// Nil unless there are 4 or 16 bytes, in network order.
    public init?(bytes: [UInt8]) {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(version4: UInt32(number(bytes[...])))
        case 16: self.init(high: number(bytes[..<8]), low: number(bytes[8...]))
        default: return nil
        }
    }

    /// The unspecified IPv4 address, `0.0.0.0`.
    public static let unspecified = IPAddress(version4: 0)

    /// 4 bytes for IPv4, 16 for IPv6, in network order.
    public var bytes: [UInt8] {
        func split(_ half: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) }
        }
        return isVersion6 ? split(high, 8) + split(low, 8) : split(low, 4)
    }

    /// An IPv4 address as an IPv4-mapped IPv6 address. An IPv6 address is unchanged.
    public var mapped: IPAddress { IPAddress(high: high, low: low) }

    /// An IPv4-mapped IPv6 address as the IPv4 address that packets reach with it. Any other address is unchanged.
    public var unmapped: IPAddress {
        high == 0 && low >> 32 == 0xFFFF ? IPAddress(version4: UInt32(truncatingIfNeeded: low)) : self
    }

    public var family: IPFamily { isVersion6 ? .version6 : .version4 }
}

/// IPv4 or IPv6. Sockets and relayed addresses have one of them.
public enum IPFamily: Hashable, Sendable { case version4, version6 }

/// Kinds of addresses.
extension IPAddress {
    /// Whether packets to it stay within the machine: 127.0.0.0/8 (RFC 1122 §3.2.1.3), or ::1.
    public var isLoopback: Bool { isVersion6 ? high == 0 && low == 1 : version4 >> 24 == 127 }

    /// Whether packets to it stay within the link: 169.254.0.0/16 (RFC 3927), or fe80::/10 (RFC 4291 §2.5.6).
    public var isLinkLocal: Bool { isVersion6 ? high >> 54 == 0x3FA : version4 >> 16 == 0xA9FE }

    /// Whether it is the wildcard address, `0.0.0.0` or `::`.
    public var isUnspecified: Bool { isVersion6 ? high == 0 && low == 0 : version4 == 0 }

    /// Whether it is a multicast group: 224.0.0.0/4 (RFC 5771 §3), or ff00::/8 beyond one link (RFC 4291 §2.7).
    public var isMulticast: Bool {
        isVersion6 ? high >> 56 == 0xFF && high >> 48 & 0xF > 2 : version4 >> 28 == 0xE
    }

    /// Whether the address can belong to one host. Excludes multicast, broadcast, unspecified addresses, and IPv6 forms
    /// of IPv4 addresses, which could hide any of these.
    public var isOneHost: Bool {
        guard isVersion6 else { return version4 >> 24 != 0 && version4 >> 24 < 224 }
        let isVersion4Inside = high == 0 && (low >> 32 == 0 || low >> 32 == 0xFFFF)
        return high >> 56 != 0xFF && (isLoopback || !isVersion4Inside)
    }

    /// The IPv4 address as a number.
    private var version4: UInt32 { UInt32(truncatingIfNeeded: low) }
}

/// Text.
extension IPAddress {
    /// Reads `192.0.2.7` or `2001:db8::7`, without brackets and without a zone (RFC 4291 §2.2). Nil for any other text.
    public init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.version6(text) : Self.version4(text) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    /// Reads an address that may be followed by a zone (RFC 4007 §11). The zone is dropped, because it has a meaning
    /// only on its own machine.
    public init?(zoned text: String) { self.init(text.prefix { $0 != "%" }) }

    /// The text form of RFC 5952 §4.
    public var text: String {
        guard isVersion6 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        let groups = [high, low].flatMap { half in
            [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> UInt64($0)) }
        }
        let words = groups.map { String($0, radix: 16) }
        guard let hidden = Self.longestZeros(groups) else { return words.joined(separator: ":") }
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

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part in
            // Some parsers read a number with a leading zero as octal.
            part.isDecimal && (part.count == 1 || part.first != "0") ? UInt8(part) : nil
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: Substring) -> [UInt8]? {
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
                guard let last = version4(part) else { return nil }
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(\.isHexDigit),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }
}

/// An address and a port: the source or the destination of a datagram, or an end of a connection.
public struct TransportAddress: Hashable, BitwiseCopyable, Sendable {
    public var address: IPAddress
    public var port: UInt16

    public init(_ address: IPAddress, _ port: UInt16) { (self.address, self.port) = (address, port) }

    /// Reads a numeric host, and takes an IPv4-mapped IPv6 address for the IPv4 address that packets reach with it. So a
    /// peer has the same value on a socket of either family. Nil for a name.
    public init?(host: String, port: UInt16) {
        guard let address = IPAddress(host) else { return nil }
        self.init(address.unmapped, port)
    }

    /// The same with an IPv4-mapped IPv6 address as the IPv4 address that packets reach with it.
    public var unmapped: TransportAddress { TransportAddress(address.unmapped, port) }
}
