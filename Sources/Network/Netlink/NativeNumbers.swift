import Base

/// Netlink has its numbers in the byte order of the machine (netlink(7)).
extension Span<UInt8> {
    /// The unsigned integer at `offset`. The caller has checked that it is inside.
    func native<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
        // It was read most significant byte first, and `bigEndian` swaps it on a machine that has the other order.
        (bigEndian(at: offset) as Number).bigEndian
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(native number: Number) {
        append(bigEndian: number.bigEndian)
    }
}
