import Base

/// Report blocks where they lie in a compound: read one at a time, nothing is copied into an array.
public struct ReportBlocks: Equatable, Sendable {
    public let count: Int
    let offset: Int

    /// The block at `index`, from the same bytes that were parsed.
    public func block(_ index: Int, in compound: Span<UInt8>) -> ReportBlock {
        precondition((0..<count).contains(index), "no such report block")
        return ReportBlock(in: compound, at: offset + index * ReportBlock.size)
    }

    /// The block that speaks of `source`, which is what a sender wants to know.
    public func block(about source: UInt32, in compound: Span<UInt8>) -> ReportBlock? {
        for index in 0..<count {
            let block = block(index, in: compound)
            if block.source == source { return block }
        }
        return nil
    }
}
