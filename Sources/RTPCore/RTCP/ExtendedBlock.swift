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
