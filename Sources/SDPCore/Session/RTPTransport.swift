/// How the packets of an audio line are protected, by the `proto` of its `m=` line. Early feedback (AVPF, RFC 4585)
/// makes no difference to us.
enum RTPTransport: Sendable {
    case clear
    /// SRTP, with keys from the signalling (RFC 4568).
    case sdes
    /// SRTP, with keys from a handshake on the media's path (RFC 5764).
    case dtls

    /// Nil for anything but voice over UDP.
    init?(_ name: String) {
        switch name.uppercased() {
        case "RTP/AVP", "RTP/AVPF": self = .clear
        case "RTP/SAVP", "RTP/SAVPF": self = .sdes
        case "UDP/TLS/RTP/SAVP", "UDP/TLS/RTP/SAVPF": self = .dtls
        default: return nil
        }
    }

    /// The name that we write into an offer.
    var name: String {
        switch self {
        case .clear: "RTP/AVP"
        case .sdes: "RTP/SAVP"
        case .dtls: "UDP/TLS/RTP/SAVP"
        }
    }
}
