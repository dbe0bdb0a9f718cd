/// The DTLS attributes of an audio line: the end's certificates, and which end begins.
struct DTLSLine: Equatable, Sendable {
    /// Never empty. An end with several certificates has more than one (RFC 8122 §5).
    var fingerprints: [CertificateFingerprint]
    var setup: DTLSSetup
    /// The name of the end's association (`a=tls-id`, RFC 8842 §4).
    var name: String?
    /// `new` or `existing` (RFC 4145 §5). It is optional (RFC 5763 §5), but Asterisk writes it.
    var connection: String?

    /// The most fingerprints of an end that are compared with its certificate.
    private static let fingerprintLimit = 4
    /// The longest name (RFC 8842 §4).
    private static let nameLimit = 255

    /// Reads the line's own attributes, else those of the session. Nil if an attribute is missing that a handshake
    /// needs.
    init?(_ media: MediaDescription, in session: SessionDescription) {
        let own = media.values(of: "fingerprint")
        let named = own.isEmpty ? session.values(of: "fingerprint") : own
        fingerprints = Array(named.compactMap(CertificateFingerprint.init).prefix(Self.fingerprintLimit))
        let setups = media.values(of: "setup") + session.values(of: "setup")
        guard !fingerprints.isEmpty, let setup = setups.first.flatMap({ DTLSSetup(rawValue: $0.lowercased()) }) else {
            return nil
        }
        self.setup = setup
        name = (media.values(of: "tls-id") + session.values(of: "tls-id")).first { $0.utf8.count <= Self.nameLimit }
        connection = (media.values(of: "connection") + session.values(of: "connection")).first?.lowercased()
    }
}
