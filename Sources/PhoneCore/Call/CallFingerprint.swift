/// The fingerprint of a call's far end, and what is known of it.
struct CallFingerprint: Equatable, Codable, Sendable {
    var shown: ShownFingerprint
    var standing: FingerprintStanding
}

extension Call {
    /// The peer by which the far end's fingerprint is remembered. Nil: the far end has no number, or withholds it.
    var peer: PeerFingerprint.Peer? {
        guard !who.isWithheld, let number = who.key?.text else { return nil }
        return PeerFingerprint.Peer(account: account, number: number)
    }

    /// What protects the voice, with what two people know of it.
    var provenProtection: CallProtection? {
        protection == .dtls && key?.standing == .compared ? .verified : protection
    }
}
