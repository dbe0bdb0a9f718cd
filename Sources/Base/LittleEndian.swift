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
