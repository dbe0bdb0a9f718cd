import Base

/// One message of the kernel's routing socket, without its header (netlink(7)).
package struct NetlinkFrame: Equatable, Sendable {
    /// The size of nlmsghdr: length, type, flags, sequence, port.
    static let headerBytes = 16

    package let type: UInt16
    /// The sequence number of the request that it answers.
    package let sequence: UInt32
    /// The range of its content.
    package let content: Range<Int>

    /// All messages of one read, in order. A length beyond the bytes ends the list.
    package static func all(in bytes: Span<UInt8>) -> [NetlinkFrame] {
        var frames: [NetlinkFrame] = []
        var start = 0
        while bytes.count - start >= headerBytes {
            let length = Int(clamping: bytes.native(at: start) as UInt32)
            guard length >= headerBytes, length <= bytes.count - start else { break }
            frames.append(
                NetlinkFrame(
                    type: bytes.native(at: start + 4), sequence: bytes.native(at: start + 8),
                    content: start + headerBytes..<start + length))
            start += length.alignedForNetlink
        }
        return frames
    }
}

extension Int {
    /// Messages and attributes begin at multiples of four bytes.
    var alignedForNetlink: Int { (self + 3) & ~3 }
}

/// The attributes at the end of a message: each has a length, a kind and a value (rtnetlink(7)).
struct NetlinkAttributes {
    private static let headerBytes = 4
    /// The two upper bits of a kind describe the value's encoding, which the kind itself implies.
    private static let kindMask: UInt16 = 0x3FFF

    private var values: [UInt16: Range<Int>] = [:]

    /// A length beyond the range ends the list. Of two attributes of a kind the later one counts.
    init(_ bytes: Span<UInt8>, in range: Range<Int>) {
        var start = range.lowerBound
        while range.upperBound - start >= Self.headerBytes {
            let length = Int(bytes.native(at: start) as UInt16)
            guard length >= Self.headerBytes, length <= range.upperBound - start else { break }
            let kind: UInt16 = bytes.native(at: start + 2)
            values[kind & Self.kindMask] = start + Self.headerBytes..<start + length
            start += length.alignedForNetlink
        }
    }

    subscript(kind: UInt16) -> Range<Int>? { values[kind] }

    /// Nil without such an attribute, or if its length differs.
    func number(_ kind: UInt16, in bytes: Span<UInt8>) -> UInt32? {
        values[kind].flatMap { $0.count == 4 ? bytes.native(at: $0.lowerBound) : nil }
    }

    /// An IPv4 or IPv6 address. Nil without such an attribute, or if its length differs.
    func address(_ kind: UInt16, in bytes: Span<UInt8>) -> IPAddress? {
        values[kind].flatMap { range in IPAddress(bytes: range.map { bytes[$0] }) }
    }

    /// Text up to its zero byte.
    func text(_ kind: UInt16, in bytes: Span<UInt8>) -> String? {
        values[kind].map { range in
            String(decoding: range.map { bytes[$0] }.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

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
