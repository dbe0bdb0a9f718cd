import Base

/// What a call's extended reports have told so far: the far end's clock, and how it hears us.
public struct ExtendedExchange: Equatable, Sendable {
    private struct Reference: Equatable, Sendable {
        let source: UInt32
        let middle: UInt32
        let heard: Instant
    }

    private var reference: Reference?
    /// What the far end said last of our voice.
    public private(set) var farMetrics: VoiceMetrics?

    public init() {}

    /// Takes in one report.
    /// - Parameters:
    ///   - sender: Whose report it is.
    ///   - source: Ours, of which it may speak; what it says of others is left.
    /// - Returns: The round trip, if it answers to a reference time of ours.
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

    /// Our answer to the far end's newest reference time; nil before it has told one.
    public func answer(at now: Instant) -> DelayReport? {
        reference.map {
            DelayReport(source: $0.source, lastReference: $0.middle, delay: NTPTime.units(of: now - $0.heard))
        }
    }
}
