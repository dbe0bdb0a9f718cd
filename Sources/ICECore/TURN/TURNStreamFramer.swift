import Base

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
