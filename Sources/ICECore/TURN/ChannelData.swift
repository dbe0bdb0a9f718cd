import Base

/// A packet with a header of four bytes instead of a STUN message around it (RFC 8656 §12.4).
public struct ChannelData: Equatable, Sendable {
    public static let headerBytes = 4
    /// RFC 8656 §12: the first byte of these numbers differs from that of every other protocol on the socket
    /// (RFC 7983).
    public static let numbers: ClosedRange<UInt16> = 0x4000...0x4FFF

    public let channel: UInt16
    public let data: [UInt8]

    public init(channel: UInt16, data: [UInt8]) { (self.channel, self.data) = (channel, data) }

    public static func mayBegin(_ bytes: [UInt8]) -> Bool { bytes.count >= headerBytes && bytes[0] >> 4 == 4 }

    /// Nil for anything else, and for a truncated packet. A datagram may have further bytes after the packet.
    public init?(_ bytes: [UInt8]) {
        guard Self.mayBegin(bytes) else { return nil }
        let count = Int(bytes.span.bigEndian(at: 2) as UInt16)
        guard count <= bytes.count - Self.headerBytes else { return nil }
        channel = bytes.span.bigEndian(at: 0)
        data = Array(bytes[Self.headerBytes..<Self.headerBytes + count])
    }

    /// The packet on the wire.
    /// - Parameter isPadded: Pads to a multiple of four bytes, as streams require (RFC 8656 §12.5).
    public func bytes(isPadded: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerBytes + data.count + 3)
        bytes.append(bigEndian: channel)
        bytes.append(bigEndian: UInt16(data.count))
        bytes += data
        while isPadded, !bytes.count.isMultiple(of: 4) { bytes.append(0) }
        return bytes
    }
}

/// Finds messages in a stream from a TURN server: STUN and ChannelData, which both carry their length (RFC 8656 §12.5).
/// It keeps at most one incomplete message.
public struct TURNStreamFramer: Equatable, Sendable {
    /// The stream has neither STUN nor ChannelData, or something longer than any packet. No later message can be found.
    public struct Broken: Error, Equatable, Sendable {}

    /// Bytes of the longest message: a packet of Ethernet's size with all headers around it.
    public static let limit = 2_048

    private var pending: [UInt8] = []

    public init() {}

    /// - Returns: The messages that are complete now, without their padding.
    public mutating func take(_ bytes: [UInt8]) throws(Broken) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        pending += bytes
        var offset = 0
        while pending.count - offset >= 4 {
            let count = try length(at: offset)
            let padded = (count + 3) & ~3
            guard pending.count - offset >= padded else { break }
            messages.append(Array(pending[offset..<offset + count]))
            offset += padded
        }
        pending.removeFirst(offset)
        return messages
    }

    private func length(at offset: Int) throws(Broken) -> Int {
        let length = Int(pending[offset + 2]) << 8 | Int(pending[offset + 3])
        let count: Int
        switch pending[offset] >> 4 {
        case 0...3 where length.isMultiple(of: 4): count = 20 + length
        case 4: count = ChannelData.headerBytes + length
        default: throw Broken()
        }
        guard count <= Self.limit else { throw Broken() }
        return count
    }
}
