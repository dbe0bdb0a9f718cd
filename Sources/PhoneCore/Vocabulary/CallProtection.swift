/// The protection of a call's voice on its way (spec §14), from the weakest to the strongest.
public enum CallProtection: String, CaseIterable, Codable, Sendable {
    /// Anyone on the path can listen.
    case clear
    /// SRTP with keys from the signalling (RFC 4568). Anyone who can read the signalling, such as a server, can listen.
    case sdes
    /// SRTP with keys from a handshake with the far end (RFC 5763). Anyone who can change the signalling, such as a
    /// server, can get in between.
    case dtls
    /// SRTP as with `dtls`, and two people have compared words under the far end's fingerprint: nobody is in between.
    case verified

    init(_ negotiated: NegotiatedMedia) {
        switch negotiated.protection {
        case nil: self = .clear
        case .sdes?: self = .sdes
        case .dtls?: self = .dtls
        }
    }
}
