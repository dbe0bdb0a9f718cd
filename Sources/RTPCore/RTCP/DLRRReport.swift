import Base

/// The answer to a receiver reference time: how long ago it arrived, RFC 3611 §4.5.
public struct DLRRReport: Equatable, Sendable {
    public static let size = 12

    /// The source that sent the reference time.
    public let source: UInt32
    /// The middle 32 bits of the reference time, 0 for none.
    public let lastReference: UInt32
    /// The time since its arrival, in 1/65,536 s.
    public let delay: UInt32

    public init(source: UInt32, lastReference: UInt32, delay: UInt32) {
        self.source = source
        self.lastReference = lastReference
        self.delay = delay
    }

    /// Reads the 12 bytes at `offset`; the caller has checked that they are there.
    init(in bytes: Span<UInt8>, at offset: Int) {
        source = bytes.bigEndian(at: offset)
        lastReference = bytes.bigEndian(at: offset + 4)
        delay = bytes.bigEndian(at: offset + 8)
    }

    func write(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        bytes.store(bigEndian: source, at: offset)
        bytes.store(bigEndian: lastReference, at: offset + 4)
        bytes.store(bigEndian: delay, at: offset + 8)
    }
}

/// The delay reports of one block. They stay in the compound and are read from there.
public struct DLRRBlock: Equatable, Sendable {
    public let count: Int
    let offset: Int

    /// The report for `source`; nil without one.
    public func report(about source: UInt32, in compound: Span<UInt8>) -> DLRRReport? {
        for index in 0..<count {
            let report = DLRRReport(in: compound, at: offset + index * DLRRReport.size)
            if report.source == source { return report }
        }
        return nil
    }
}
