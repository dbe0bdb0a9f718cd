extension MediaNegotiation {
    /// The protection with the number of its association: the current one, or the next.
    /// - Parameter remote: The far end's address, if it does not use ICE.
    func numbered(
        _ protection: NegotiatedMedia.Protection?, own: AudioLine, theirs: AudioLine, at remote: PacketAddress,
        hasICE: Bool
    ) -> NegotiatedMedia.Protection? {
        guard case .dtls(var association)? = protection else { return protection }
        guard let before = agreed?.dtls else {
            association.name = theirs.dtls?.name
            return .dtls(association)
        }
        let moves = remote != agreed?.remote || own.address != ownAddress
        let isNext =
            isRenewed || wantsAssociation || theirs.dtls?.asksForAnother(than: before, hasICE: hasICE) ?? false
            || !hasICE && moves
        association.number = isNext ? before.number &+ 1 : before.number
        association.name = theirs.dtls?.name ?? before.name
        return .dtls(association)
    }

    /// Our address in our last description, if we do not use ICE.
    private var ownAddress: PacketAddress? {
        settled.flatMap { try? AudioLine($0.own.media[$0.audioIndex], in: $0.own).address }
    }
}

extension DTLSLine {
    /// Whether the end begins another association, by another name (RFC 8842 §4) or by an attribute of RFC 4145.
    ///
    /// Without ICE that attribute proves little: Asterisk writes `existing` into its first answer in a call, and begins
    /// another association after it. An end that keeps its association loses nothing if it leaves our handshake
    /// unanswered.
    fileprivate func asksForAnother(than before: NegotiatedMedia.DTLSAssociation, hasICE: Bool) -> Bool {
        if let name, let known = before.name, name != known { return true }
        return hasICE ? connection == "new" : connection != nil
    }
}
