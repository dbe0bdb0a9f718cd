import Base

/// Finds messages in a stream from a TURN server: STUN and ChannelData, each of which says how long it is
/// (RFC 8656 §12.5). It keeps at most one message that is not complete.
public struct TURNStreamFramer: Equatable, Sendable {
    /// What comes is neither STUN nor ChannelData, or longer than any packet: nothing behind it can be found.
    public struct Broken: Error, Equatable, Sendable {}

    /// Bytes of the longest message: a packet of Ethernet's size with all that may stand around it.
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
