import ICECore

/// The meaning of a `c=` line's host for packets.
///
/// It parses addresses less strictly than `IPAddress`, which rejects numbers with a leading zero.
enum PacketHost: Equatable {
    /// The family is that of the packets: an IPv4-mapped IPv6 address is reached over IPv4 (RFC 4291 §2.5.5.2).
    case unicast(IPFamily)
    /// `0.0.0.0` or `::`: send nothing (the hold of RFC 2543, still accepted by RFC 3264 §8.4).
    case nowhere
    /// A name, a multicast or broadcast address, or unreadable text. We never send packets there.
    case unusable

    init(_ host: String) {
        if let octets = Self.octets(host) {
            switch octets[0] {
            case 0: self = octets == [0, 0, 0, 0] ? .nowhere : .unusable
            case 224...: self = .unusable
            default: self = .unicast(.version4)
            }
        } else if Self.looksLikeIPv6(host) {
            let bytes = IPAddress(host)?.bytes
            let family = bytes?.starts(with: Self.mappedPrefix) ?? false ? IPFamily.version4 : .version6
            let isZero = bytes?.allSatisfy { $0 == 0 } ?? false
            self = isZero ? .nowhere : host.lowercased().hasPrefix("ff") ? .unusable : .unicast(family)
        } else {
            self = .unusable
        }
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Whether packets can go there from a phone with sockets of these families.
    func isUnicast(within families: Set<IPFamily>) -> Bool {
        if case .unicast(let family) = self { families.contains(family) } else { false }
    }

    private static func octets(_ host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let octets = parts.compactMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8($0) : nil }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }

    private static func looksLikeIPv6(_ host: String) -> Bool {
        host.utf8.count <= 45 && host.utf8.count { $0 == UInt8(ascii: ":") } >= 2
            && host.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }
    }
}
