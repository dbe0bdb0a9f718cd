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
    func address(_ kind: UInt16, in bytes: Span<UInt8>) -> [UInt8]? {
        values[kind].flatMap { range in
            range.count == 4 || range.count == 16 ? range.map { bytes[$0] } : nil
        }
    }

    /// Text up to its zero byte.
    func text(_ kind: UInt16, in bytes: Span<UInt8>) -> String? {
        values[kind].map { range in
            String(decoding: range.map { bytes[$0] }.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
