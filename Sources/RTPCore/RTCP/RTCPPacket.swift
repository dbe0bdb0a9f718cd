/// One packet of an RTCP compound, RFC 3550 §6. Ranges point into the compound it was parsed from.
public enum RTCPPacket: Equatable, Sendable {
    case senderReport(source: UInt32, SenderInformation, blocks: ReportBlocks)
    case receiverReport(source: UInt32, blocks: ReportBlocks)
    /// The first chunk's source and its CNAME item, when it has one. Further chunks are checked and ignored.
    case sourceDescription(source: UInt32?, canonicalName: Range<Int>?)
    /// `sources` holds four bytes for each source; `reason` is text from the peer.
    case goodbye(sources: Range<Int>, reason: Range<Int>?)
    case extendedReport(source: UInt32, blocks: ExtendedBlocks)
    /// A well-formed packet of a type that this module does not read (APP, RTPFB …).
    case other(type: UInt8, body: Range<Int>)

    /// Packet types, RFC 3550 §12.1.
    enum Kind {
        static let senderReport: UInt8 = 200
        static let receiverReport: UInt8 = 201
        static let sourceDescription: UInt8 = 202
        static let goodbye: UInt8 = 203
        /// RFC 3611 §2.
        static let extendedReport: UInt8 = 207
    }
}
