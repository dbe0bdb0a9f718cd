/// The source of our packets, for ends that must know it before the first packet. Some media servers drop packets from
/// a source that no description has named (RFC 5576 §4.1, §6.1).
public struct MediaSource: Equatable, Sendable {
    public let ssrc: UInt32
    /// The CNAME, as in our RTCP packets.
    public let canonicalName: String

    public init(ssrc: UInt32, canonicalName: String) {
        self.ssrc = ssrc
        self.canonicalName = canonicalName
    }

    var attribute: SessionDescription.Attribute { .init("ssrc", "\(ssrc) cname:\(canonicalName)") }
}
