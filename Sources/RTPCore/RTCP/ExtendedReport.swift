/// The content of one extended report that we send, RFC 3611: at most one block of each type.
public struct ExtendedReport: Equatable, Sendable {
    public var referenceTime: NTPTime?
    public var delay: DelayReport?
    public var summary: StatisticsSummary?
    public var voice: VoiceMetrics?

    public init() {}

    /// The size of all its blocks in bytes.
    var size: Int {
        (referenceTime == nil ? 0 : ExtendedBlock.referenceTimeSize)
            + (delay == nil ? 0 : ExtendedBlock.headerSize + DelayReport.size)
            + (summary == nil ? 0 : StatisticsSummary.size) + (voice == nil ? 0 : VoiceMetrics.size)
    }

    static let largestSize =
        ExtendedBlock.referenceTimeSize + ExtendedBlock.headerSize + DelayReport.size + StatisticsSummary.size
        + VoiceMetrics.size
}
