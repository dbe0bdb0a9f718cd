import Base

/// One of the machine's own addresses.
package struct NetworkAddress: Equatable, Sendable {
    private enum Flag {
        /// IPv4: not the first address of its network. IPv6: temporary (RFC 8981).
        static let secondary: UInt32 = 0x01
        static let optimistic: UInt32 = 0x04
        static let duplicate: UInt32 = 0x08
        static let deprecated: UInt32 = 0x20
        static let tentative: UInt32 = 0x40
    }

    private enum Attribute {
        static let address: UInt16 = 1
        static let local: UInt16 = 2
        static let flags: UInt16 = 8
    }

    package var link: UInt32
    package var address: IPAddress
    /// It is valid on one link or one machine only.
    package var isLocal: Bool
    /// IPv4: not the first one of its network. IPv6: temporary.
    package var isSecondary: Bool
    /// It may be used: no conflict with another machine is known.
    package var isReady: Bool
    /// Existing connections keep it, but new ones should not use it (RFC 4862 §5.5.4).
    package var isDeprecated: Bool

    package init(
        link: UInt32, _ address: IPAddress, isLocal: Bool = false, isSecondary: Bool = false, isReady: Bool = true,
        isDeprecated: Bool = false
    ) {
        (self.link, self.address, self.isLocal) = (link, address, isLocal)
        (self.isSecondary, self.isReady, self.isDeprecated) = (isSecondary, isReady, isDeprecated)
    }

    /// ifaddrmsg: family, length of the prefix, flags, scope, link.
    init?(_ message: Span<UInt8>, _ content: Range<Int>) {
        guard content.count >= 8 else { return nil }
        let start = content.lowerBound
        let attributes = NetlinkAttributes(message, in: start + 8..<content.upperBound)
        // On a point-to-point link, `address` is the other end's.
        let own = attributes.address(Attribute.local, in: message) ?? attributes.address(Attribute.address, in: message)
        guard let own, own.isVersion6 == (message[start] == 10) else { return nil }
        let flags = attributes.number(Attribute.flags, in: message) ?? UInt32(message[start + 2])
        link = message.native(at: start + 4)
        address = own
        isLocal = message[start + 3] >= 253 || own.isLinkLocal
        isSecondary = flags & Flag.secondary != 0
        isReady = flags & Flag.duplicate == 0 && flags & (Flag.tentative | Flag.optimistic) != Flag.tentative
        isDeprecated = flags & Flag.deprecated != 0
    }

    package var isVersion6: Bool { address.isVersion6 }
    /// It reaches beyond this machine and one link.
    var reachesFar: Bool { isReady && !isLocal }
    /// IPv6 has such an address on every link.
    var isOwnToEveryLink: Bool { isVersion6 && isLocal }
}
