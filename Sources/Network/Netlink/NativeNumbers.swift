import Base

/// Netlink has numbers in the byte order of the machine (netlink(7)).
extension Span<UInt8> {
    /// The unsigned integer at `offset`. The caller has checked that it is inside the span.
    func native<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
        // The inner read is big-endian. `bigEndian` swaps the bytes on a little-endian machine.
        (bigEndian(at: offset) as Number).bigEndian
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(native number: Number) {
        append(bigEndian: number.bigEndian)
    }
}
