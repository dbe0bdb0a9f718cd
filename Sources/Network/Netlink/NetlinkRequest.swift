import Base

/// A request to the kernel (rtnetlink(7)).
package enum NetlinkRequest: Equatable, Sendable {
    case links
    case addresses
    /// How the kernel would send to an address.
    case route(to: IPAddress)

    private enum Kind {
        static let links: UInt16 = 18
        static let addresses: UInt16 = 22
        static let route: UInt16 = 26
    }

    private enum Flag {
        static let request: UInt16 = 0x1
        /// NLM_F_DUMP: list everything.
        static let list: UInt16 = 0x300
    }

    /// Leaves out the counters, which are most of a link's data (IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS).
    private static let withoutCounters: (attribute: UInt16, value: UInt32) = (29, 1 << 3)
    private static let destination: UInt16 = 1

    package func bytes(sequence: UInt32) -> [UInt8] {
        let content = content
        var bytes: [UInt8] = []
        bytes.append(native: UInt32(NetlinkFrame.headerBytes + content.count))
        bytes.append(native: kind)
        bytes.append(native: isList ? Flag.request | Flag.list : Flag.request)
        bytes.append(native: sequence)
        bytes.append(native: 0 as UInt32)
        return bytes + content
    }

    /// Whether the answer is a list with an end.
    var isList: Bool {
        switch self {
        case .links, .addresses: true
        case .route: false
        }
    }

    private var kind: UInt16 {
        switch self {
        case .links: Kind.links
        case .addresses: Kind.addresses
        case .route: Kind.route
        }
    }

    private var content: [UInt8] {
        switch self {
        case .links:
            var bytes = [UInt8](repeating: 0, count: 16)
            bytes.append(native: 8 as UInt16)
            bytes.append(native: Self.withoutCounters.attribute)
            bytes.append(native: Self.withoutCounters.value)
            return bytes
        case .addresses: return [UInt8](repeating: 0, count: 8)
        case .route(let address):
            let number = address.bytes
            var bytes: [UInt8] = [address.isVersion6 ? 10 : 2, UInt8(number.count * 8)]
            bytes += [UInt8](repeating: 0, count: 10)
            bytes.append(native: UInt16(4 + number.count))
            bytes.append(native: Self.destination)
            return bytes + number
        }
    }
}
