/// The protocol of a datagram on a media port, by its first bytes: RFC 7983 §7 and, for RTCP, RFC 5761 §4.
public enum MuxedPacket: Equatable, Sendable {
    case stun, dtls, turnChannel, rtp, rtcp
    /// A datagram of no known protocol, which is counted and dropped.
    case unknown

    public init(classifying datagram: Span<UInt8>) {
        guard datagram.count >= 2 else {
            self = .unknown
            return
        }
        switch datagram[0] {
        case 0...3: self = .stun
        case 20...63: self = .dtls
        case 64...79: self = .turnChannel
        // RTCP types 192...223 look like payload types 64...95 with the marker set, which RTP then avoids.
        case 128...191: self = (192...223).contains(datagram[1]) ? .rtcp : .rtp
        default: self = .unknown
        }
    }
}
