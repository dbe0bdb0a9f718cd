import Base

/// What is known of the source that is heard. Another one takes its place with its second packet in order
/// (RFC 3550 §A.1): a stray, a forgery or what was left on its way wipes out nothing.
///
/// Feed every packet of the session once, in arrival order. Cost: O(1), no allocation.
public struct Reception: Equatable, Sendable {
    /// Of the source that is heard; nil until two of its packets came in order.
    public private(set) var statistics: ReceptionStatistics?
    /// Another one, since its first packet.
    private var candidate: ReceptionStatistics?

    public init() {}

    /// - Parameter clockRate: RTP ticks a second, the same until this value is made anew.
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

    /// Remembers a sender report, if it is of the source that is heard.
    public mutating func receive(_ information: SenderInformation, from source: UInt32, at now: Instant) {
        if statistics?.source == source { statistics?.receive(information, at: now) }
    }

    /// The block to send now; nil while no source is known.
    public mutating func reportBlock(at now: Instant) -> ReportBlock? { statistics?.reportBlock(at: now) }

    /// The summary to send now; nil when nothing new has come.
    public mutating func summary() -> StatisticsSummary? { statistics?.summary() }
}
