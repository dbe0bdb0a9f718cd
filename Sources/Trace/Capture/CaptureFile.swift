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
