import Base

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
