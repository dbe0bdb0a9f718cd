import Base
import Network

/// Messages in the kernel's format on a little-endian machine.
struct NetlinkBytes {
    private(set) var bytes: [UInt8] = []

    static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func attribute(_ kind: UInt16, _ value: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        return number(UInt16(4 + value.count)) + number(kind) + value + padding
    }

    static func text(_ kind: UInt16, _ text: String) -> [UInt8] { attribute(kind, Array(text.utf8) + [0]) }

    mutating func add(_ type: UInt16, _ content: [UInt8], sequence: UInt32 = 7, length: UInt32? = nil) {
        bytes += Self.number(length ?? UInt32(16 + content.count)) + Self.number(type) + Self.number(2 as UInt16)
        bytes += Self.number(sequence) + Self.number(0 as UInt32) + content
        bytes += [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }

    /// RTM_NEWLINK.
    mutating func addLink(
        _ index: UInt32, flags: UInt32, hardware: UInt16 = 1, family: UInt8 = 0, attributes: [[UInt8]]
    ) {
        add(
            16,
            [family, 0] + Self.number(hardware) + Self.number(index) + Self.number(flags) + Self.number(0 as UInt32)
                + attributes.joined())
    }

    /// RTM_NEWADDR.
    mutating func addAddress(
        _ link: UInt32, family: UInt8, flags: UInt8 = 0x80, scope: UInt8 = 0, attributes: [[UInt8]]
    ) {
        add(20, [family, 24, flags, scope] + Self.number(link) + attributes.joined())
    }

    /// RTM_NEWROUTE.
    mutating func addRoute(family: UInt8, type: UInt8 = 1, attributes: [[UInt8]]) {
        add(24, [family, 32, 0, 0, 254, 0, 0, type] + Self.number(0x200 as UInt32) + attributes.joined())
    }
}

extension IPAddress {
    /// An address in a test. It has 4 or 16 bytes.
    init(of bytes: [UInt8]) {
        guard let address = IPAddress(bytes: bytes) else { preconditionFailure("an address of \(bytes.count) bytes") }
        self = address
    }
}

extension NetworkAddress {
    init(
        link: UInt32, bytes: [UInt8], isLocal: Bool = false, isSecondary: Bool = false, isReady: Bool = true,
        isDeprecated: Bool = false
    ) {
        self.init(
            link: link, IPAddress(of: bytes), isLocal: isLocal, isSecondary: isSecondary, isReady: isReady,
            isDeprecated: isDeprecated)
    }
}

extension NetworkRoute {
    init(link: UInt32, source: [UInt8]) { self.init(link: link, source: IPAddress(of: source)) }
}
