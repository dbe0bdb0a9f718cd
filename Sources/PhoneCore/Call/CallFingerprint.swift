/// The fingerprint of a call's far end, and whether two people have compared its words.
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

    /// The protection of the voice: `verified` if two people have compared the words.
    var provenProtection: CallProtection? {
        protection == .dtls && key?.standing == .compared ? .verified : protection
    }
}
