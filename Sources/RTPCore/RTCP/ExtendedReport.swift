/// What we say in one extended report, RFC 3611: a block of each type, or none.
public struct ExtendedReport: Equatable, Sendable {
    public var referenceTime: NTPTime?
    public var delay: DelayReport?
    public var summary: StatisticsSummary?
    public var voice: VoiceMetrics?

    public init() {}

    /// Bytes of all its blocks.
    var size: Int {
        (referenceTime == nil ? 0 : ExtendedBlock.referenceTimeSize)
            + (delay == nil ? 0 : ExtendedBlock.headerSize + DelayReport.size)
            + (summary == nil ? 0 : StatisticsSummary.size) + (voice == nil ? 0 : VoiceMetrics.size)
    }

    static let largestSize =
        ExtendedBlock.referenceTimeSize + ExtendedBlock.headerSize + DelayReport.size + StatisticsSummary.size
        + VoiceMetrics.size
}
