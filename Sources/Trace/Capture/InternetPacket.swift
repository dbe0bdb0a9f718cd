import Base
import ICECore

/// A UDP datagram in an IP packet, with the lengths and checksums that a kernel would have written.
enum InternetPacket {
    private static let udp: UInt8 = 17
    private static let hops: UInt8 = 64

    /// - Parameter payload: Cut behind what a datagram can carry: 65,507 bytes.
    static func datagram(_ payload: [UInt8], from: TracedSignal.End, to: TracedSignal.End) -> [UInt8] {
        let (source, target) = pair(from.host, to.host)
        let header = source.bytes.count == 4 ? 20 : 40
        // The IPv6 header is not counted in its packet's length, but a reader's limit is the same for both.
        let payload = payload.prefix(65_535 - header - 8)
        var datagram: [UInt8] = []
        datagram.reserveCapacity(8 + payload.count)
        datagram.append(bigEndian: from.port)
        datagram.append(bigEndian: to.port)
        datagram.append(bigEndian: UInt16(8 + payload.count))
        datagram.append(bigEndian: 0 as UInt16)
        datagram += payload
        let sum = Checksum.of([source.bytes, target.bytes, [0, udp], Array(datagram[4..<6]), datagram])
        // Zero says that there is no checksum; its other form is the same number (RFC 768).
        let written = sum == 0 ? 0xFFFF : sum
        (datagram[6], datagram[7]) = (UInt8(written >> 8), UInt8(written & 0xFF))
        let head = source.bytes.count == 4 ? ipv4 : ipv6
        return head(source, target, datagram.count) + datagram
    }

    /// Both ends in one family: an IPv4 address beside an IPv6 one is mapped into it. What is no address is the
    /// unspecified one.
    private static func pair(_ first: String, _ second: String) -> (IPAddress, IPAddress) {
        let (first, second) = (IPAddress(zoned: first) ?? .unspecified, IPAddress(zoned: second) ?? .unspecified)
        return first.isVersion6 == second.isVersion6 ? (first, second) : (first.mapped, second.mapped)
    }

    /// RFC 791 §3.1: no options, not to be fragmented.
    private static func ipv4(_ source: IPAddress, _ target: IPAddress, _ length: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x45, 0]
        bytes.append(bigEndian: UInt16(20 + length))
        bytes += [0, 0, 0x40, 0, hops, udp, 0, 0]
        bytes += source.bytes + target.bytes
        let sum = Checksum.of([bytes])
        (bytes[10], bytes[11]) = (UInt8(sum >> 8), UInt8(sum & 0xFF))
        return bytes
    }

    /// RFC 8200 §3.
    private static func ipv6(_ source: IPAddress, _ target: IPAddress, _ length: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x60, 0, 0, 0]
        bytes.append(bigEndian: UInt16(length))
        bytes += [udp, hops]
        return bytes + source.bytes + target.bytes
    }
}

/// The Internet's checksum (RFC 1071) over parts, each of which but the last has an even length.
enum Checksum {
    static func of(_ parts: [[UInt8]]) -> UInt16 {
        var sum: UInt64 = 0
        for part in parts {
            for (index, byte) in part.enumerated() { sum += UInt64(byte) << (index.isMultiple(of: 2) ? 8 : 0) }
        }
        while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
        return ~UInt16(sum)
    }
}
