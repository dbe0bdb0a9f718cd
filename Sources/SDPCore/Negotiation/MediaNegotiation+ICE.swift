import Base
import ICECore

/// The ICE attributes of one end's audio line (RFC 8839 §4.2.1). Candidates are the values of their attributes, as in
/// RFC 8839 §5.1. The code that checks paths parses them.
extension ICEDescription {
    /// The most candidates of a line, and the bytes of each.
    private static let (candidateLimit, byteLimit) = (64, 512)

    /// Reads the line's own values, else the session's. Nil for an end without ICE. Nil also for an end that stopped
    /// ICE because something on the path changed addresses (RFC 8839 §4.2.5).
    init?(_ media: MediaDescription, in session: SessionDescription) {
        func value(_ name: String) -> String? { media.values(of: name).first ?? session.values(of: name).first }
        guard let userFragment = value("ice-ufrag"), let password = value("ice-pwd"), !media.hasFlag("ice-mismatch"),
            let credentials = ICECredentials(userFragment: userFragment, password: Redacted(password))
        else { return nil }
        let all = media.values(of: "candidate").lazy.filter { $0.utf8.count <= Self.byteLimit }
        self.init(
            credentials, candidates: Array(all.prefix(Self.candidateLimit)),
            isLite: session.attributes.contains { $0.name == "ice-lite" })
    }

    /// The attributes for our line. `ice2`: this end follows RFC 8445 (§10). Empty if our credentials do not follow RFC
    /// 8839 §5.4: then the call is without ICE.
    /// - Parameter isTrickled: Whether to announce that candidates follow one by one (RFC 8838). The far end's
    ///   `trickle` only means that it supports this (RFC 8840 §4.1.1), so nobody reads it.
    func attributes(isTrickled: Bool = false) -> [SessionDescription.Attribute] {
        guard let credentials = ICECredentials(self) else { return [] }
        return [
            .init("ice-ufrag", credentials.userFragment), .init("ice-pwd", credentials.password.reveal()),
            .init("ice-options", isTrickled ? "ice2 trickle" : "ice2"),
        ] + candidates.map { .init("candidate", $0) }
    }

    mutating func renewCredentials(using generator: inout some RandomNumberGenerator) {
        self = ICEDescription(ICECredentials(using: &generator), candidates: candidates, isLite: isLite)
    }

    /// The names of all attributes that each later description writes again.
    static let names: Set<String> = ["ice-ufrag", "ice-pwd", "ice-options", "candidate"]
}

extension LocalICE {
    var attributes: [SessionDescription.Attribute] { description.attributes(isTrickled: isIncomplete ?? false) }

    /// Candidates for another session. It keeps the host candidates, all with this port, if this host is among them.
    /// Otherwise this address is the only one. Candidates from servers are dropped, because they are for the former
    /// port.
    func renewed(at local: MediaAddress, using generator: inout some RandomNumberGenerator) -> LocalICE {
        var renewed = self
        renewed.description.renewCredentials(using: &generator)
        renewed.isIncomplete = nil
        guard onlyAddress == nil else { return renewed }
        let hosts = description.candidates.compactMap { try? RemoteCandidate($0) }.filter { $0.kind == .host }
        let moved = hosts.compactMap { $0.at(port: local.port) }
        let isKnown = moved.contains { $0.address.address == IPAddress(local.host) }
        renewed.description.candidates =
            isKnown ? moved.map(\.text) : ["1 1 UDP \(Self.highestPriority) \(local.host) \(local.port) typ host"]
        return renewed
    }

    /// The priority of a host candidate that is preferred to all others (RFC 8445 §5.1.2.1).
    private static let highestPriority: UInt32 = 126 << 24 | 65_535 << 8 | 255
}

extension RemoteCandidate {
    /// The same address with another port. Nil if the candidate has a name.
    fileprivate func at(port: UInt16) -> Candidate? {
        guard case .address(let address) = host else { return nil }
        return Candidate(
            foundation: foundation, priority: priority, address: TransportAddress(address, port), kind: kind)
    }
}

extension MediaNegotiation {
    /// Replaces the phone's candidates. Our next offer has them, and begins another ICE session if the credentials
    /// differ (RFC 8839 §4.4.1.1).
    public mutating func gathered(_ ice: LocalICE) { self.ice = ice }

    /// Adds candidates that were sent outside descriptions (RFC 8838). Our next description has them.
    /// - Parameter isLast: Whether no candidates follow.
    public mutating func found(_ candidates: [String], isLast: Bool) {
        ice?.description.candidates += candidates
        if isLast { ice?.isIncomplete = nil }
    }

    /// The ICE attributes for our offer. Empty: it is without ICE.
    /// - Parameter isOpen: Whether it offers everything that a new call would offer.
    func offeredICE(isOpen: Bool) -> [SessionDescription.Attribute] {
        guard let ice, agreed?.media.ice != nil || isOpen && ice.isOffered else { return [] }
        return ice.attributes
    }

    /// Whether an offer belongs to the existing ICE session. A far end that has lost its session has other credentials.
    public func goesOn(with offer: SessionDescription) -> Bool {
        guard let current = agreed?.media.ice, let choice = try? capabilities.choose(in: offer, usesICE: ice != nil)
        else { return false }
        return choice.audio.ice?.hasCredentials(of: current.remote) ?? false
    }

    /// The ICE attributes for our answer. Empty: it is without ICE. If the far end continues the existing session, so do
    /// we. If it begins another one, we use other credentials, too (RFC 8839 §4.4.2).
    mutating func answeredICE(
        _ theirs: AudioLine, using generator: inout some RandomNumberGenerator
    ) throws(NegotiationError) -> [SessionDescription.Attribute] {
        guard let ice else { return [] }
        guard let offered = theirs.ice, theirs.sharesPort else {
            guard ice.onlyAddress == nil else { throw .iceRequired }
            return []
        }
        guard let current = agreed?.media.ice, !isRenewed else { return ice.attributes }
        guard !current.remote.hasCredentials(of: offered) else {
            // Candidates found since then belong to the same session. Candidates with other credentials belong to a
            // session that no offer has announced yet.
            return current.local.hasCredentials(of: ice.description) ? ice.attributes : current.local.attributes()
        }
        var next = ice
        if current.local.hasCredentials(of: ice.description) {
            next.description.renewCredentials(using: &generator)
        }
        self.ice = next
        return next.attributes
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
            isControlling: remote.isLite || (isRenewed ? nil : agreed?.media.ice?.isControlling) ?? isOfferer,
            usesControlPort: usesControlPort ? true : nil)
    }

    /// The address to which the far end sends without ICE.
    var defaultAddress: MediaAddress { ice?.onlyAddress ?? local }
}
