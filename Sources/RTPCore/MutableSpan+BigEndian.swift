extension MutableSpan<UInt8> {
    /// Stores an unsigned integer in network order. The caller has checked that it fits.
    @_lifetime(self: copy self)
    mutating func store<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number, at offset: Int) {
        let width = Number.bitWidth / 8
        for index in 0..<width {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - index)))
        }
    }
}
