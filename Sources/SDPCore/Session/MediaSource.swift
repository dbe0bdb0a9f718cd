/// What identifies our packets, for ends that have to know it before the first one comes: some media servers drop what
/// no description named (RFC 5576 §4.1, §6.1).
public struct MediaSource: Equatable, Sendable {
    public let ssrc: UInt32
    /// CNAME, as RTCP tells it.
    public let canonicalName: String

    public init(ssrc: UInt32, canonicalName: String) {
        self.ssrc = ssrc
        self.canonicalName = canonicalName
    }

    var attribute: SessionDescription.Attribute { .init("ssrc", "\(ssrc) cname:\(canonicalName)") }
}
