/// What an audio line says about its end of DTLS: the certificates that it may show, and who begins.
struct DTLSLine: Equatable, Sendable {
    /// Never empty. More than one: the end has several certificates (RFC 8122 §5).
    var fingerprints: [CertificateFingerprint]
    var setup: DTLSSetup
    /// The name of the association that the end means (`a=tls-id`, RFC 8842 §4).
    var name: String?
    /// `new` or `existing` (RFC 4145 §5). No end has to write it (RFC 5763 §5), and Asterisk does.
    var connection: String?

    /// The most fingerprints of an end that are compared with its certificate.
    private static let fingerprintLimit = 4
    /// The longest name (RFC 8842 §4).
    private static let nameLimit = 255

    /// The line's own attributes, else those of the session. Nil when something is missing without which there is no
    /// handshake.
    init?(_ media: MediaDescription, in session: SessionDescription) {
        let own = media.values(of: "fingerprint")
        let named = own.isEmpty ? session.values(of: "fingerprint") : own
        fingerprints = Array(named.compactMap(CertificateFingerprint.init).prefix(Self.fingerprintLimit))
        let setups = media.values(of: "setup") + session.values(of: "setup")
        guard !fingerprints.isEmpty, let setup = setups.first.flatMap(DTLSSetup.init) else { return nil }
        self.setup = setup
        name = (media.values(of: "tls-id") + session.values(of: "tls-id")).first { $0.utf8.count <= Self.nameLimit }
        connection = (media.values(of: "connection") + session.values(of: "connection")).first
    }
}
