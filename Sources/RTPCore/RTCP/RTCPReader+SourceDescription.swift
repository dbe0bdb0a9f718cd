import Base

extension RTCPReader {
    /// SDES item types, RFC 3550 §6.5.
    private static let endOfItems: UInt8 = 0
    static let canonicalNameItem: UInt8 = 1

    /// Reads the first chunk's canonical name and checks the other chunks, so that a wrong length anywhere is an error.
    static func sourceDescription(
        count: Int, body: Range<Int>, in compound: Span<UInt8>
    ) throws(ParseError) -> RTCPPacket {
        var offset = body.lowerBound
        var first: (source: UInt32, name: Range<Int>?)?
        for _ in 0..<count {
            guard offset + 4 <= body.upperBound else {
                throw .count(type: RTCPPacket.Kind.sourceDescription, count: count)
            }
            let source: UInt32 = compound.bigEndian(at: offset)
            let name = try items(from: &offset, body: body, in: compound)
            if first == nil { first = (source, name) }
        }
        return .sourceDescription(source: first?.source, canonicalName: first?.name)
    }

    /// Reads one chunk: its source, its items up to a zero byte, and padding up to the next multiple of four.
    private static func items(
        from offset: inout Int, body: Range<Int>, in compound: Span<UInt8>
    ) throws(ParseError) -> Range<Int>? {
        var name: Range<Int>?
        var at = offset + 4
        while at < body.upperBound, compound[at] != endOfItems {
            guard at + 2 <= body.upperBound else { throw .items }
            let text = at + 2..<at + 2 + Int(compound[at + 1])
            guard text.upperBound <= body.upperBound else { throw .items }
            if compound[at] == canonicalNameItem, name == nil { name = text }
            at = text.upperBound
        }
        let end = offset + (at + 1 - offset + 3) / 4 * 4
        guard at < body.upperBound, end <= body.upperBound else { throw .items }
        offset = end
        return name
    }
}
