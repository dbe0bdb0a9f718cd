import Base

/// Messages as a capture file that Wireshark, tshark, tcpdump and sngrep open (draft-ietf-opsawg-pcap): microseconds, raw
/// IP packets.
///
/// A line knows messages, not packets; each becomes one UDP datagram between the ends that it had, over TCP and TLS too, so
/// that a message from inside TLS can be read. Its Via says which transport it was.
public enum CaptureFile {
    /// LINKTYPE_RAW: a packet begins with its IP header, of either version.
    private static let linkType: UInt32 = 101
    /// The largest packet that IP has.
    private static let longestPacket: UInt32 = 65_535

    /// What a file begins with, once.
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

    /// One message, to be appended.
    public static func record(of signal: TracedSignal) -> [UInt8] {
        let (from, to) = signal.isSent ? (signal.local, signal.remote) : (signal.remote, signal.local)
        let packet = InternetPacket.datagram(signal.message, from: from, to: to)
        // Before 1970 there was no SIP, and a clock that says so is wrong anyway.
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
