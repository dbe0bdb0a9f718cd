/// What protects a call's voice on its way, as a fact with a name (spec §14). From the weakest to the strongest.
public enum CallProtection: String, CaseIterable, Codable, Sendable {
    /// Everybody on the path can listen.
    case clear
    /// SRTP with keys from the signalling (RFC 4568): whoever can read the signalling, such as a server, can listen.
    case sdes
    /// SRTP with keys from a handshake with the far end (RFC 5763): whoever can change the signalling, such as a server,
    /// can put itself between the two.
    case dtls
    /// SRTP as with `dtls`, and two people have compared words under the far end's fingerprint: nobody stands between the two.
    case verified

    init(_ negotiated: NegotiatedMedia) {
        switch negotiated.protection {
        case nil: self = .clear
        case .sdes?: self = .sdes
        case .dtls?: self = .dtls
        }
    }
}
