import Base

/// Messages as a capture file that Wireshark, tshark, tcpdump and sngrep open (draft-ietf-opsawg-pcap), with time
/// stamps in microseconds and raw IP packets.
///
/// A line knows messages, not packets. Each message becomes one UDP datagram between its two ends. This is done for TCP
/// and TLS too, so that a message from inside TLS can be read. Its Via header names the actual transport.
public enum CaptureFile {
    /// LINKTYPE_RAW: a packet begins with its IP header, of either version.
    private static let linkType: UInt32 = 101
    /// The size of the largest IP packet.
    private static let longestPacket: UInt32 = 65_535

    /// The header at the beginning of a file.
    public static var opening: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: 0xA1B2_C3D4 as UInt32)
        bytes.append(littleEndian: 2 as UInt16)
        bytes.append(littleEndian: 4 as UInt16)
        bytes.append(littleEndian: 0 as UInt32)
        bytes.append(littleEndian: 0 as UInt32)
        bytes.append(littleEndian: longestPacket)
        bytes.append(littleEndian: linkType)
        return bytes
    }

    /// The record of one message, to be appended to a file.
    public static func record(of signal: TracedSignal) -> [UInt8] {
        let (from, to) = signal.isSent ? (signal.local, signal.remote) : (signal.remote, signal.local)
        let packet = InternetPacket.datagram(signal.message, from: from, to: to)
        // A time before 1970 comes from a wrong clock. It becomes 0, because the format has no negative times.
        let time = max(0, signal.time)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + packet.count)
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: time / 1_000_000))
        bytes.append(littleEndian: UInt32(time % 1_000_000))
        bytes.append(littleEndian: UInt32(packet.count))
        bytes.append(littleEndian: UInt32(packet.count))
        return bytes + packet
    }
}

/// A UDP datagram in an IP packet, with the lengths and checksums that a kernel would have written.
enum InternetPacket {
    private static let udp: UInt8 = 17
    private static let hops: UInt8 = 64

    /// - Parameter payload: It is cut to what a packet of 65,535 bytes can carry: 65,507 bytes with IPv4, 65,487 with
    ///   IPv6.
    static func datagram(_ payload: [UInt8], from: TracedSignal.End, to: TracedSignal.End) -> [UInt8] {
        let (source, target) = pair(from.host, to.host)
        let header = source.bytes.count == 4 ? 20 : 40
        // IPv6 does not count its header in the packet's length, but the limit of a reader is the same for both
        // versions.
        let payload = payload.prefix(65_535 - header - 8)
        var datagram: [UInt8] = []
        datagram.reserveCapacity(8 + payload.count)
        datagram.append(bigEndian: from.port)
        datagram.append(bigEndian: to.port)
        datagram.append(bigEndian: UInt16(8 + payload.count))
        datagram.append(bigEndian: 0 as UInt16)
        datagram += payload
        let sum = Checksum.of([source.bytes, target.bytes, [0, udp], Array(datagram[4..<6]), datagram])
        // A checksum of 0 would mean no checksum. 0xFFFF is the same number in one's complement (RFC 768).
        let written = sum == 0 ? 0xFFFF : sum
        (datagram[6], datagram[7]) = (UInt8(written >> 8), UInt8(written & 0xFF))
        let head = source.bytes.count == 4 ? ipv4 : ipv6
        return head(source, target, datagram.count) + datagram
    }

    /// Brings both ends into one address family. An IPv4 address next to an IPv6 address becomes an IPv4-mapped one.
    /// Text that is not an address becomes the unspecified address.
    private static func pair(_ first: String, _ second: String) -> (IPAddress, IPAddress) {
        let (first, second) = (IPAddress(zoned: first) ?? .unspecified, IPAddress(zoned: second) ?? .unspecified)
        return first.isVersion6 == second.isVersion6 ? (first, second) : (first.mapped, second.mapped)
    }

    /// The IPv4 header, RFC 791 §3.1: without options, with the flag that forbids fragmentation.
    private static func ipv4(_ source: IPAddress, _ target: IPAddress, _ length: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x45, 0]
        bytes.append(bigEndian: UInt16(20 + length))
        bytes += [0, 0, 0x40, 0, hops, udp, 0, 0]
        bytes += source.bytes + target.bytes
        let sum = Checksum.of([bytes])
        (bytes[10], bytes[11]) = (UInt8(sum >> 8), UInt8(sum & 0xFF))
        return bytes
    }

    /// The IPv6 header, RFC 8200 §3.
    private static func ipv6(_ source: IPAddress, _ target: IPAddress, _ length: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x60, 0, 0, 0]
        bytes.append(bigEndian: UInt16(length))
        bytes += [udp, hops]
        return bytes + source.bytes + target.bytes
    }
}

/// The Internet checksum (RFC 1071) over several parts. Each part except the last must have an even length.
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
