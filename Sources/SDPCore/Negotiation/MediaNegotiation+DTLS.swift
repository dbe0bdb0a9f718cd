import Base

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

    var digests: [[UInt8]] { fingerprints.map(\.digest) }
}

/// Which end begins the handshake (`a=setup`, RFC 4145 §4, RFC 8842 §5.2): the active end is the client.
enum DTLSSetup: String, Sendable {
    case active
    case passive
    /// Either: the other end chooses. Only in offers.
    case actpass
    /// Neither, for now.
    case holdconn

    /// Whether we begin, as the end that answers an offer with this. If we may choose, an existing handshake keeps its
    /// role (RFC 8842 §5.3). Otherwise we begin, because our first flight can leave with the answer (RFC 5763 §5). Nil:
    /// no handshake is possible.
    /// - Parameter current: Whether we began the handshake with this certificate. Nil: there was no handshake.
    func answererIsActive(keeping current: Bool?) -> Bool? {
        switch self {
        case .active: false
        case .passive: true
        case .actpass: current ?? true
        case .holdconn: nil
        }
    }

    /// Whether we begin, as the end that offered this and got that answer. Nil: the answer does not fit.
    func offererIsActive(answered answer: DTLSSetup) -> Bool? {
        switch (self, answer) {
        case (.actpass, .passive), (.active, .passive): true
        case (.actpass, .active), (.passive, .active): false
        case (_, .actpass), (_, .holdconn), (.active, .active), (.passive, .passive), (.holdconn, _): nil
        }
    }

    var attribute: SessionDescription.Attribute { .init("setup", rawValue) }
}

/// The SHA-256 of the certificate that a DTLS end shows (RFC 8122 §5). If the signalling confirms it, it proves the
/// identity of the handshake's far end.
public struct CertificateFingerprint: Hashable, Sendable {
    /// 32 octets.
    public let digest: [UInt8]

    private static let length = 32
    private static let hash = "sha-256"

    /// - Precondition: The digest has 32 octets.
    public init(digest: [UInt8]) {
        precondition(digest.count == Self.length, "SHA-256 has 32 octets")
        self.digest = digest
    }

    /// Reads `sha-256 AB:CD:…` in any case. Nil for any other hash, which we cannot compare.
    init?(_ value: String) {
        let fields = value.split(separator: " ")
        guard fields.count == 2, fields[0].lowercased() == Self.hash else { return nil }
        let pairs = fields[1].split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == Self.length, pairs.allSatisfy({ $0.utf8.count == 2 }),
            let digest = pairs.joined().hexadecimalBytes
        else { return nil }
        self.digest = digest
    }

    var attribute: SessionDescription.Attribute {
        let octets = digest.map { CollectionOfOne($0).hexadecimal.uppercased() }
        return .init("fingerprint", "\(Self.hash) \(octets.joined(separator: ":"))")
    }
}

extension MediaNegotiation {
    /// The protection with the number of its association: the current one, or the next.
    /// - Parameter remote: The far end's address, if it does not use ICE.
    func numbered(
        _ protection: NegotiatedMedia.Protection?, own: AudioLine, theirs: AudioLine, at remote: MediaAddress,
        hasICE: Bool
    ) -> NegotiatedMedia.Protection? {
        guard case .dtls(var association)? = protection, let agreed, let before = agreed.media.dtls else {
            return protection
        }
        let moves = remote != agreed.media.remote || own.address != ownAddress
        let asks = theirs.dtls?.asksForAnother(than: agreed.associationName, hasICE: hasICE) ?? false
        let isNext = isRenewed || wantsAssociation || asks || !hasICE && moves
        let number = (before.number ?? 0) &+ (isNext ? 1 : 0)
        association.number = number == 0 ? nil : number
        return .dtls(association)
    }

    /// The far end's name for the agreed association, which each of its descriptions may leave out.
    func associationName(of protection: NegotiatedMedia.Protection?, theirs: AudioLine) -> String? {
        guard protection?.isHandshake == true else { return nil }
        return theirs.dtls?.name ?? agreed?.associationName
    }

    /// Our address in our last description, if we do not use ICE.
    private var ownAddress: MediaAddress? {
        settled.flatMap { try? AudioLine($0.own.media[$0.audioIndex], in: $0.own).address }
    }
}

extension DTLSLine {
    /// Whether the end begins another association, by another name (RFC 8842 §4) or by an attribute of RFC 4145.
    ///
    /// Without ICE that attribute proves little: Asterisk writes `existing` into its first answer in a call, and begins
    /// another association after it. An end that keeps its association loses nothing if it leaves our handshake
    /// unanswered.
    /// - Parameter known: The name of the present association. Nil: it has none.
    fileprivate func asksForAnother(than known: String?, hasICE: Bool) -> Bool {
        if let name, let known, name != known { return true }
        return hasICE ? connection == "new" : connection != nil
    }
}
