import Base

/// The statistics of the current source. Another source replaces it with its second packet in order (RFC 3550 §A.1). So
/// a stray packet, a forged packet or a late packet of an earlier source does not erase the statistics.
///
/// Feed every packet of the session once, in arrival order. Cost: O(1), no allocation.
public struct Reception: Equatable, Sendable {
    /// The statistics of the current source; nil until two of its packets came in order.
    public private(set) var statistics: ReceptionStatistics?
    /// The statistics of another source since its first packet, until it is accepted.
    private var candidate: ReceptionStatistics?

    public init() {}

    /// - Parameter clockRate: RTP ticks a second. It must not change during the life of this value.
    @discardableResult
    public mutating func receive(
        _ header: RTPHeader, clockRate: Int, at now: Instant
    ) -> ReceptionStatistics.Verdict {
        if var heard = statistics, heard.source == header.source {
            candidate = nil
            let verdict = heard.receive(sequence: header.sequence, timestamp: header.timestamp, at: now)
            statistics = heard
            return verdict
        }
        var heard =
            candidate.flatMap { $0.source == header.source ? $0 : nil }
            ?? ReceptionStatistics(source: header.source, clockRate: clockRate, firstSequence: header.sequence)
        let verdict = heard.receive(sequence: header.sequence, timestamp: header.timestamp, at: now)
        if verdict == .accepted { (statistics, candidate) = (heard, nil) } else { candidate = heard }
        return verdict
    }

    /// Remembers a sender report, if it comes from the current source.
    public mutating func receive(_ information: SenderInformation, from source: UInt32, at now: Instant) {
        if statistics?.source == source { statistics?.receive(information, at: now) }
    }

    /// The block to send now; nil while no source is known.
    public mutating func reportBlock(at now: Instant) -> ReportBlock? { statistics?.reportBlock(at: now) }

    /// The summary to send now; nil when nothing new has come.
    public mutating func summary() -> StatisticsSummary? { statistics?.summary() }
}
