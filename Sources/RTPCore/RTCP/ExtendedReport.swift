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
