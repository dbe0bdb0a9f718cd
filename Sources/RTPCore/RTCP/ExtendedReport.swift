import Base

/// The content of one extended report that we send, RFC 3611: at most one block of each type.
public struct ExtendedReport: Equatable, Sendable {
    public var referenceTime: NTPTime?
    public var delay: DLRRReport?
    public var summary: StatisticsSummary?
    public var voice: VoIPMetrics?

    public init() {}

    /// The size of all its blocks in bytes.
    var size: Int {
        (referenceTime == nil ? 0 : ExtendedBlock.referenceTimeSize)
            + (delay == nil ? 0 : ExtendedBlock.headerSize + DLRRReport.size)
            + (summary == nil ? 0 : StatisticsSummary.size) + (voice == nil ? 0 : VoIPMetrics.size)
    }

    static let largestSize =
        ExtendedBlock.referenceTimeSize + ExtendedBlock.headerSize + DLRRReport.size + StatisticsSummary.size
        + VoIPMetrics.size
}

/// One block of an extended report, RFC 3611 §4. Ranges point into the compound it was parsed from.
public enum ExtendedBlock: Equatable, Sendable {
    /// The reporter's clock, which we answer with a `DLRRReport` (§4.4).
    case referenceTime(NTPTime)
    /// Answers to reference times (§4.5).
    case delays(DLRRBlock)
    case summary(StatisticsSummary)
    case voice(VoIPMetrics)
    /// A well-formed block of a type that this module does not read.
    case other(type: UInt8, body: Range<Int>)

    /// Block types, RFC 3611 §4. Sizes are those of whole blocks with their header.
    enum Kind {
        static let referenceTime: UInt8 = 4
        static let delays: UInt8 = 5
        static let summary: UInt8 = 6
        static let voice: UInt8 = 7
    }

    static let headerSize = 4
    static let referenceTimeSize = 12
}

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

/// The state of a call's extended reports: the far end's reference time and its metrics of our voice.
public struct ExtendedExchange: Equatable, Sendable {
    private struct Reference: Equatable, Sendable {
        let source: UInt32
        let middle: UInt32
        let heard: Instant
    }

    private var reference: Reference?
    /// The newest metrics of our voice that the far end sent.
    public private(set) var farMetrics: VoIPMetrics?

    public init() {}

    /// Processes one report.
    /// - Parameters:
    ///   - sender: The source that sent the report.
    ///   - source: Our source. Reports about other sources are ignored.
    /// - Returns: The round trip, if the report answers our reference time.
    @discardableResult
    public mutating func receive(
        _ blocks: ExtendedBlocks, from sender: UInt32, about source: UInt32, in compound: Span<UInt8>, at now: Instant
    ) -> Duration? {
        var blocks = blocks
        var roundTrip: Duration?
        while let block = blocks.next(in: compound) {
            switch block {
            case .referenceTime(let time):
                reference = Reference(source: sender, middle: time.middle, heard: now)
            case .delays(let reports):
                guard let report = reports.report(about: source, in: compound) else { break }
                roundTrip = NTPTime.roundTrip(of: report, at: now) ?? roundTrip
            case .voice(let metrics):
                if metrics.source == source { farMetrics = metrics }
            case .summary, .other:
                break
            }
        }
        return roundTrip
    }

    /// Our answer to the far end's newest reference time; nil before one has arrived.
    public func answer(at now: Instant) -> DLRRReport? {
        reference.map {
            DLRRReport(source: $0.source, lastReference: $0.middle, delay: NTPTime.units(of: now - $0.heard))
        }
    }
}
