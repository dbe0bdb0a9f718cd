/// Which extended reports one end wants of the other: `a=rtcp-xr`, RFC 3611 §5.1.
public struct RequestedReports: Equatable, Sendable {
    /// Our clock, to answer to: the round trip is then known to an end that sends no voice too.
    public var roundTrip = false
    /// Of a statistics summary.
    public var loss = false
    public var duplicates = false
    public var jitter = false
    /// VoIP metrics.
    public var voice = false

    public init() {}

    /// Reads what it knows, ignores the rest. A summary without flags is one of all that we count.
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

    /// What we want ourselves: what we read. A summary would tell nothing more, and its 28 bytes would make a usual INVITE
    /// too long for a datagram (RFC 3261 §18.1.1).
    static let attribute = SessionDescription.Attribute("rtcp-xr", "rcvr-rtt=all voip-metrics")
}
