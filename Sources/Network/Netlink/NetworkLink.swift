/// A network interface of the machine.
package struct NetworkLink: Equatable, Sendable {
    private enum Flag {
        static let up: UInt32 = 0x1
        static let loopback: UInt32 = 0x8
        static let running: UInt32 = 0x40
    }

    private enum Attribute {
        static let name: UInt16 = 3
        static let parent: UInt16 = 5
        static let master: UInt16 = 10
        static let info: UInt16 = 18
        /// Nested in `info`.
        static let driver: UInt16 = 1
    }

    package var index: UInt32
    package var name: String
    /// The hardware type, ARPHRD_…, such as 1 for Ethernet.
    package var hardware: UInt16
    package var isLoopback: Bool
    /// It is switched on and operational (IFF_UP, IFF_RUNNING).
    package var isRunning: Bool
    /// The kernel's name for the type of a virtual link: `vlan`, `bridge`, `wireguard`. Nil: a real device.
    package var driver: String?
    /// The link below, for a VLAN and similar links.
    package var parent: UInt32?
    /// The bridge or similar link of which this is a port.
    package var master: UInt32?
    /// The device type from sysfs: `wlan`, `wwan`. Nil: sysfs has none.
    package var device: String?

    package init(
        index: UInt32, name: String, hardware: UInt16 = 1, isLoopback: Bool = false, isRunning: Bool = true,
        driver: String? = nil, parent: UInt32? = nil, master: UInt32? = nil, device: String? = nil
    ) {
        (self.index, self.name, self.hardware) = (index, name, hardware)
        (self.isLoopback, self.isRunning) = (isLoopback, isRunning)
        (self.driver, self.parent, self.master, self.device) = (driver, parent, master, device)
    }

    /// ifinfomsg: family, a byte, hardware, index, flags, mask. Nil: it is shorter, or it is a protocol's own view of
    /// the link, such as a bridge's.
    init?(_ bytes: Span<UInt8>, _ content: Range<Int>) {
        guard content.count >= 16, bytes[content.lowerBound] == 0 else { return nil }
        let start = content.lowerBound
        let attributes = NetlinkAttributes(bytes, in: start + 16..<content.upperBound)
        let flags: UInt32 = bytes.native(at: start + 8)
        index = bytes.native(at: start + 4)
        hardware = bytes.native(at: start + 2)
        name = attributes.text(Attribute.name, in: bytes) ?? ""
        isLoopback = flags & Flag.loopback != 0
        isRunning = flags & (Flag.up | Flag.running) == Flag.up | Flag.running
        driver = attributes[Attribute.info].flatMap {
            NetlinkAttributes(bytes, in: $0).text(Attribute.driver, in: bytes)
        }
        parent = attributes.number(Attribute.parent, in: bytes)
        master = attributes.number(Attribute.master, in: bytes)
        device = nil
    }
}
