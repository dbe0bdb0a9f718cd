import Base

/// The blocks of an extended report. They stay in the compound and are read one at a time, without a copy into an
/// array.
public struct ExtendedBlocks: Equatable, Sendable {
    private var rest: Range<Int>

    /// Checks all blocks of `body`, so that a wrong length anywhere is an error.
    init(_ body: Range<Int>, in compound: Span<UInt8>) throws(RTCPReader.ParseError) {
        rest = body
        var walk = self
        while try walk.step(in: compound) != nil {}
    }

    /// The next block; nil at the end. `compound` holds the same bytes that were parsed.
    public mutating func next(in compound: Span<UInt8>) -> ExtendedBlock? {
        do {
            return try step(in: compound)
        } catch {
            preconditionFailure("other bytes than were parsed: \(error)")
        }
    }

    /// A block's length field counts the words after the first one (§3). The rest is always whole words, as in all of
    /// RTCP.
    private mutating func step(in compound: Span<UInt8>) throws(RTCPReader.ParseError) -> ExtendedBlock? {
        guard !rest.isEmpty else { return nil }
        let start = rest.lowerBound
        let words: UInt16 = compound.bigEndian(at: start + 2)
        let end = start + 4 * (Int(words) + 1)
        guard end <= rest.upperBound else {
            throw .block(type: compound[start], size: end - start, available: rest.count)
        }
        let block = try Self.block(start..<end, in: compound)
        rest = end..<rest.upperBound
        return block
    }

    private static func block(
        _ place: Range<Int>, in compound: Span<UInt8>
    ) throws(RTCPReader.ParseError) -> ExtendedBlock {
        let start = place.lowerBound
        let body = start + ExtendedBlock.headerSize
        let type = compound[start]
        switch (type, place.count) {
        case (ExtendedBlock.Kind.referenceTime, ExtendedBlock.referenceTimeSize):
            return .referenceTime(NTPTime(rawValue: compound.bigEndian(at: body)))
        case (ExtendedBlock.Kind.delays, let size) where (size - ExtendedBlock.headerSize) % DLRRReport.size == 0:
            return .delays(DLRRBlock(count: (size - ExtendedBlock.headerSize) / DLRRReport.size, offset: body))
        case (ExtendedBlock.Kind.summary, StatisticsSummary.size):
            return .summary(StatisticsSummary(in: compound, at: start))
        case (ExtendedBlock.Kind.voice, VoIPMetrics.size):
            return .voice(VoIPMetrics(in: compound, at: start))
        case (ExtendedBlock.Kind.referenceTime...ExtendedBlock.Kind.voice, let size):
            throw .block(type: type, size: size, available: size)
        case (_, _):
            return .other(type: type, body: body..<place.upperBound)
        }
    }
}
