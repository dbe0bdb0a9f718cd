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
        guard let offered = theirs.ice, mayUseICE(with: theirs) else {
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

    /// The session of ICE that two lines make. Under DTLS, ICE finds the path of the voice alone with an end that shares no
    /// port with its reports: where one end has fewer components, the others are left out (RFC 8445 §6.1.2.2). Reports go
    /// to the address that its description names (RFC 3605).
    func session(
        own: AudioLine, theirs: AudioLine, isOfferer: Bool
    ) throws(NegotiationError) -> NegotiatedMedia.ICESession? {
        guard let local = own.ice, let remote = theirs.ice, own.sharesPort || theirs.dtls != nil,
            mayUseICE(with: theirs)
        else {
            guard ice?.onlyAddress == nil else { throw .iceRequired }
            return nil
        }
        return .init(
            local: local, remote: remote,
            isControlling: remote.isLite || (isRenewed ? nil : agreed?.ice?.isControlling) ?? isOfferer,
            usesControlPort: usesControlPort)
    }

    /// Whether ICE is done with an end. Without DTLS, an end that shares no port with its reports is spoken to without ICE:
    /// Asterisk does no checks with fewer components than it has, and takes voice all the same. Reports on a path of their
    /// own would show the address of a phone that hides.
    private func mayUseICE(with theirs: AudioLine) -> Bool {
        theirs.sharesPort || theirs.dtls != nil && ice?.onlyAddress == nil
    }

    /// Where the far end sends if it does no ICE.
    var defaultAddress: PacketAddress { ice?.onlyAddress ?? local }
}
