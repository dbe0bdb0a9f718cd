import Base

/// The report blocks of a packet. They stay in the compound and are read one at a time, without a copy into an array.
public struct ReportBlocks: Equatable, Sendable {
    public let count: Int
    let offset: Int

    /// The block at `index`. `compound` holds the same bytes that were parsed.
    public func block(_ index: Int, in compound: Span<UInt8>) -> ReportBlock {
        precondition((0..<count).contains(index), "no such report block")
        return ReportBlock(in: compound, at: offset + index * ReportBlock.size)
    }

    /// The block about `source`; nil without one.
    public func block(about source: UInt32, in compound: Span<UInt8>) -> ReportBlock? {
        for index in 0..<count {
            let block = block(index, in: compound)
            if block.source == source { return block }
        }
        return nil
    }
}
