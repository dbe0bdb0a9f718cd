/// The extended reports that one end requests from the other: `a=rtcp-xr`, RFC 3611 §5.1.
public struct RequestedReports: Equatable, Sendable {
    /// Reports of a receiver's clock and the answers to them. With them, an end that sends no voice can measure the
    /// round trip.
    public var roundTrip = false
    /// Losses. This and the next two are parts of a statistics summary.
    public var loss = false
    public var duplicates = false
    public var jitter = false
    /// VoIP metrics.
    public var voice = false

    public init() {}

    /// Reads the known formats and ignores others. A summary without flags means every value that we count.
    init(formats text: String) {
        for format in text.lowercased().split(separator: " ") {
            let pair = format.split(separator: "=", maxSplits: 1)
            let flags = pair.count == 2 ? pair[1].split(separator: ",") : ["loss", "dup", "jitt"]
            switch pair[0] {
            case "rcvr-rtt": roundTrip = true
            case "stat-summary":
                loss = flags.contains("loss")
                duplicates = flags.contains("dup")
                jitter = flags.contains("jitt")
            case "voip-metrics": voice = true
            default: break
            }
        }
    }

    /// The reports that we request, which are those that we read. A summary would add no information, and its 28 bytes
    /// would make a usual INVITE too long for a datagram (RFC 3261 §18.1.1).
    static let attribute = SessionDescription.Attribute("rtcp-xr", "rcvr-rtt=all voip-metrics")
}
