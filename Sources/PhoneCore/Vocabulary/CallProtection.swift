/// What protects a call's voice on its way, as a fact with a name (spec §14). From the weakest to the strongest.
public enum CallProtection: String, CaseIterable, Codable, Sendable {
    /// Everybody on the path can listen.
    case clear
    /// SRTP with keys from the signalling (RFC 4568): whoever can read the signalling, such as a server, can listen.
    case sdes

    init(_ negotiated: NegotiatedMedia) { self = negotiated.protection == nil ? .clear : .sdes }
}
