/// A position in a sequence of bytes that moves forward as they are read. Total: every read past the end is an error.
///
/// The cursor does not hold the bytes: the same `Span` is passed to every read. So it copies nothing, and it can be
/// stored, copied, and restored for another attempt.
public struct ByteCursor: Equatable, Sendable {
    public struct Truncated: Error, Equatable, Sendable {
        /// How many bytes the read needed from its start, and how many there were.
        public let needed: Int
        public let available: Int
    }

    /// Index of the next byte.
    public private(set) var offset: Int

    public init(offset: Int = 0) {
        precondition(offset >= 0, "a cursor starts inside its bytes")
        self.offset = offset
    }

    public func remaining(in bytes: Span<UInt8>) -> Int { max(0, bytes.count - offset) }

    public func isAtEnd(of bytes: Span<UInt8>) -> Bool { remaining(in: bytes) == 0 }

    /// Reads one unsigned integer, most significant byte first (network order).
    public mutating func read<Number: FixedWidthInteger & UnsignedInteger>(
        _: Number.Type, in bytes: Span<UInt8>
    ) throws(Truncated) -> Number {
        let start = try take(Number.bitWidth / 8, in: bytes)
        return bytes.bigEndian(at: start)
    }

    /// Skips `count` bytes and returns their range.
    public mutating func readRange(_ count: Int, in bytes: Span<UInt8>) throws(Truncated) -> Range<Int> {
        let start = try take(count, in: bytes)
        return start..<start + count
    }

    /// Copies the next `count` bytes out.
    public mutating func readBytes(_ count: Int, in bytes: Span<UInt8>) throws(Truncated) -> [UInt8] {
        try readRange(count, in: bytes).map { bytes[$0] }
    }

    private mutating func take(_ count: Int, in bytes: Span<UInt8>) throws(Truncated) -> Int {
        let available = remaining(in: bytes)
        guard count >= 0, count <= available else { throw Truncated(needed: count, available: available) }
        defer { offset += count }
        return offset
    }
}

extension Span<UInt8> {
    /// The unsigned integer at `offset` in network order. The caller has checked that it is inside.
    @inlinable
    public func bigEndian<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
        var number: Number = 0
        for index in 0..<Number.bitWidth / 8 { number = number << 8 | Number(self[offset + index]) }
        return number
    }
}

extension [UInt8] {
    /// Appends an integer, most significant byte first (network order).
    @inlinable
    public mutating func append<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number) {
        for index in (0..<Number.bitWidth / 8).reversed() {
            append(UInt8(truncatingIfNeeded: number >> (Number(index) * 8)))
        }
    }
}

extension [UInt8] {
    /// Appends a number, least significant byte first.
    public mutating func append(littleEndian number: some FixedWidthInteger) {
        for index in 0..<number.bitWidth / 8 { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

extension [UInt8] {
    /// The unsigned integer of up to four bytes at `offset`, least significant byte first. The caller has checked that
    /// it is inside.
    public func littleEndian(at offset: Int, bytes: Int) -> UInt32 {
        var number: UInt32 = 0
        for index in 0..<bytes { number |= UInt32(self[offset + index]) << (8 * index) }
        return number
    }
}

extension [UInt8] {
    /// Copies a sequence of bytes, in one allocation (none for no bytes).
    @inlinable
    public init(copying bytes: Span<UInt8>) {
        // The standard library copies a buffer at once, but a span one element at a time.
        self = unsafe bytes.withUnsafeBufferPointer { buffer in unsafe Array(buffer) }
    }

    /// Appends a sequence of bytes at once.
    @inlinable
    public mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in unsafe append(contentsOf: buffer) }
    }
}
