import ICECore

extension MediaNegotiation {
    /// The phone has these candidates from now on. Our next offer says so, and begins another session of ICE if
    /// the credentials are others (RFC 8839 §4.4.1.1).
    public mutating func gathered(_ ice: LocalICE) { self.ice = ice }

    /// The phone has these candidates, too, which have been told beside descriptions (RFC 8838). Our next
    /// description names them.
    /// - Parameter isLast: Whether no others follow.
    public mutating func found(_ candidates: [String], isLast: Bool) {
        ice?.description.candidates += candidates
        if isLast { ice?.description.isTrickled = false }
    }

    /// What an offer of ours says of ICE.
    /// - Parameter isOpen: Whether it offers what a new call would offer.
    func offeredICE(isOpen: Bool) -> ICEDescription? {
        guard let ice, agreed?.ice != nil || isOpen && ice.isOffered else { return nil }
        return ice.description
    }

    /// Whether an offer belongs to the session of ICE that there is. A far end that has lost its session has other credentials.
    public func goesOn(with offer: SessionDescription) -> Bool {
        guard let current = agreed?.ice, let choice = try? capabilities.choose(in: offer, usesICE: ice != nil)
        else { return false }
        return choice.audio.ice?.credentials == current.remote.credentials
    }

    /// What our answer says of ICE. Where the far end goes on with the session that there is, so do we; where it begins
    /// another one, we have other credentials, too (RFC 8839 §4.4.2).
    mutating func answeredICE(
        _ theirs: AudioLine, using generator: inout some RandomNumberGenerator
    ) throws(NegotiationError) -> ICEDescription? {
        guard let ice else { return nil }
        guard let offered = theirs.ice, theirs.sharesPort else {
            guard ice.onlyAddress == nil else { throw .iceRequired }
            return nil
        }
        guard let current = agreed?.ice, !isRenewed else { return ice.description }
        guard current.remote.credentials != offered.credentials else {
            // What was found since belongs to the same session. Candidates that no offer has told yet are of another one.
            return current.local.credentials == ice.description.credentials ? ice.description : current.local
        }
        if current.local.credentials == ice.description.credentials {
            self.ice?.description.credentials = ICECredentials(using: &generator)
        }
        return self.ice?.description
    }

    /// The session of ICE that two lines make. An end that shares no port with its reports has two paths to find, and is
    /// spoken to without ICE. One path alone would not do: Asterisk begins no checks without candidates of both.
    func session(
        own: AudioLine, theirs: AudioLine, isOfferer: Bool
    ) throws(NegotiationError) -> NegotiatedMedia.ICESession? {
        guard let local = own.ice, let remote = theirs.ice, own.sharesPort, theirs.sharesPort else {
            guard ice?.onlyAddress == nil else { throw .iceRequired }
            return nil
        }
        return .init(
            local: local, remote: remote,
            isControlling: remote.isLite || (isRenewed ? nil : agreed?.ice?.isControlling) ?? isOfferer,
            usesControlPort: usesControlPort)
    }

    /// Where the far end sends if it does no ICE.
    var defaultAddress: PacketAddress { ice?.onlyAddress ?? local }
}
