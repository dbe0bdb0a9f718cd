/// The key of a call's far end.
struct CallKey: Equatable, Codable, Sendable {
    var shown: ShownKey
    var standing: KeyStanding
}

extension Call {
    /// By what the far end's key is remembered. Nil: it has no number, or withholds it.
    var peer: PeerKey.Peer? {
        guard !who.isWithheld, let number = who.key?.text else { return nil }
        return PeerKey.Peer(account: account, number: number)
    }

    /// What protects the voice, with what two people know of it.
    var provenProtection: CallProtection? {
        protection == .dtls && key?.standing == .compared ? .verified : protection
    }
}
