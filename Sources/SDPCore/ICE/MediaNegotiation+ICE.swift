import ICECore

extension MediaNegotiation {
    /// Replaces the phone's candidates. Our next offer has them, and begins another ICE session if the credentials
    /// differ (RFC 8839 §4.4.1.1).
    public mutating func gathered(_ ice: LocalICE) { self.ice = ice }

    /// Adds candidates that were sent outside descriptions (RFC 8838). Our next description has them.
    /// - Parameter isLast: Whether no candidates follow.
    public mutating func found(_ candidates: [String], isLast: Bool) {
        ice?.description.candidates += candidates
        if isLast { ice?.description.isTrickled = false }
    }

    /// The ICE attributes for our offer.
    /// - Parameter isOpen: Whether it offers everything that a new call would offer.
    func offeredICE(isOpen: Bool) -> ICEDescription? {
        guard let ice, agreed?.ice != nil || isOpen && ice.isOffered else { return nil }
        return ice.description
    }

    /// Whether an offer belongs to the existing ICE session. A far end that has lost its session has other credentials.
    public func goesOn(with offer: SessionDescription) -> Bool {
        guard let current = agreed?.ice, let choice = try? capabilities.choose(in: offer, usesICE: ice != nil)
        else { return false }
        return choice.audio.ice?.credentials == current.remote.credentials
    }

    /// The ICE attributes for our answer. If the far end continues the existing session, so do we. If it begins another
    /// one, we use other credentials, too (RFC 8839 §4.4.2).
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
            // Candidates found since then belong to the same session. Candidates with other credentials belong to a
            // session that no offer has announced yet.
            return current.local.credentials == ice.description.credentials ? ice.description : current.local
        }
        if current.local.credentials == ice.description.credentials {
            self.ice?.description.credentials = ICECredentials(using: &generator)
        }
        return self.ice?.description
    }

    /// The ICE session of two lines. An end whose reports have another port needs two paths, and we talk to it without
    /// ICE. One path would not do: Asterisk begins no checks without candidates for both.
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

    /// The address to which the far end sends without ICE.
    var defaultAddress: PacketAddress { ice?.onlyAddress ?? local }
}
