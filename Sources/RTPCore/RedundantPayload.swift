import Base

/// A payload that repeats older ones before the newest, RFC 2198 §3. The ranges point into the bytes it was read from.
///
/// Parsing is total. Cost: O(blocks), no allocation. Safe on a real-time thread.
public struct RedundantPayload: Sendable {
    public enum ParseError: Error, Equatable, Sendable {
        case truncated(needed: Int, available: Int)
        case tooManyBlocks
    }

    public struct Block: Equatable, Sendable {
        /// 0...127.
        public var payloadType: UInt8
        /// How many ticks the block is older than the packet's timestamp: 0 for the newest, otherwise up to 16,383.
        public var age: UInt32
        public var range: Range<Int>
    }

    /// The largest number of older blocks. More of them would repeat sound that was played long ago.
    public static let olderLimit = 8
    /// The sizes of the headers of one older block and of the newest, in bytes.
    private static let (olderHeader, newestHeader) = (4, 1)
    /// Bytes that one older block adds to a payload in addition to its own.
    public static let overhead = olderHeader + newestHeader
    /// The largest size of one older block, in bytes.
    public static let longestBlock = 0x3FF
    public static let longestAge: UInt32 = 0x3FFF

    private var blocks = InlineArray<8, Block>(repeating: Block(payloadType: 0, age: 0, range: 0..<0))
    public private(set) var olderCount = 0
    public let newest: Block

    public init(parsing payload: Span<UInt8>) throws(ParseError) {
        var place = 0
        try Self.require(place + Self.newestHeader, in: payload)
        while payload[place] & 0x80 != 0 {
            guard olderCount < Self.olderLimit else { throw .tooManyBlocks }
            try Self.require(place + Self.olderHeader + Self.newestHeader, in: payload)
            let fields: UInt32 = payload.bigEndian(at: place)
            blocks[olderCount] = Block(
                payloadType: UInt8(fields >> 24 & 0x7F), age: fields >> 10 & Self.longestAge,
                range: 0..<Int(fields) & Self.longestBlock)
            olderCount += 1
            place += Self.olderHeader
        }
        let type = payload[place]
        place += Self.newestHeader
        for index in 0..<olderCount {
            let end = place + blocks[index].range.count
            try Self.require(end, in: payload)
            blocks[index].range = place..<end
            place = end
        }
        newest = Block(payloadType: type, age: 0, range: place..<payload.count)
    }

    /// The older block at `index`, in the order of the payload: usually oldest first.
    @_noLocks
    public func older(_ index: Int) -> Block {
        precondition(index < olderCount, "an existing block")
        return blocks[index]
    }

    /// Writes the headers that precede the bytes of one older block and of the newest.
    public static func writeHeaders(
        older: (payloadType: UInt8, age: UInt32, count: Int), newest: UInt8, into packet: inout MutableSpan<UInt8>,
        at offset: Int
    ) {
        precondition(older.payloadType < 128 && newest < 128, "a payload type has seven bits")
        precondition(older.age <= longestAge && older.count <= longestBlock, "a block that fits its header")
        let fields = 0x80 << 24 | UInt32(older.payloadType) << 24 | older.age << 10 | UInt32(older.count)
        packet.store(bigEndian: fields, at: offset)
        packet[offset + olderHeader] = newest
    }

    private static func require(_ needed: Int, in payload: Span<UInt8>) throws(ParseError) {
        guard payload.count >= needed else { throw .truncated(needed: needed, available: payload.count) }
    }
}
