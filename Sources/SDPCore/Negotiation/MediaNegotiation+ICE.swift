import Base
import ICECore

/// The ICE attributes of one end's audio line (RFC 8839 §4.2.1). Candidates are the values of their attributes, as in
/// RFC 8839 §5.1. The code that checks paths parses them.
public struct ICEDescription: Equatable, Sendable {
    public var credentials: ICECredentials
    public var candidates: [String]
    /// Whether the end only answers checks (RFC 8445 §2.5).
    public var isLite: Bool
    /// Whether this phone announces that candidates follow one by one (RFC 8838).
    public var isTrickled: Bool

    /// The most candidates of a line, and the bytes of each.
    private static let (candidateLimit, byteLimit) = (64, 512)

    public init(
        credentials: ICECredentials, candidates: [String], isLite: Bool = false, isTrickled: Bool = false
    ) {
        self.credentials = credentials
        self.candidates = candidates
        self.isLite = isLite
        self.isTrickled = isTrickled
    }

    /// Reads the line's own values, else the session's. Nil for an end without ICE. Nil also for an end that stopped
    /// ICE because something on the path changed addresses (RFC 8839 §4.2.5).
    init?(_ media: MediaDescription, in session: SessionDescription) {
        func value(_ name: String) -> String? { media.values(of: name).first ?? session.values(of: name).first }
        guard let userFragment = value("ice-ufrag"), let password = value("ice-pwd"), !media.hasFlag("ice-mismatch"),
            let credentials = ICECredentials(userFragment: userFragment, password: Redacted(password))
        else { return nil }
        self.credentials = credentials
        let all = media.values(of: "candidate").lazy.filter { $0.utf8.count <= Self.byteLimit }
        candidates = Array(all.prefix(Self.candidateLimit))
        isLite = session.attributes.contains { $0.name == "ice-lite" }
        // `trickle` only means that the far end supports it (RFC 8840 §4.1.1).
        isTrickled = false
    }

    /// The attributes for our line. `ice2`: this end follows RFC 8445 (§10).
    var attributes: [SessionDescription.Attribute] {
        [
            .init("ice-ufrag", credentials.userFragment), .init("ice-pwd", credentials.password.reveal()),
            .init("ice-options", isTrickled ? "ice2 trickle" : "ice2"),
        ] + candidates.map { .init("candidate", $0) }
    }

    /// The names of all attributes that each later description writes again.
    static let names: Set<String> = ["ice-ufrag", "ice-pwd", "ice-options", "candidate"]
}

/// The candidates of this phone, and whether an offer has them.
public struct LocalICE: Equatable, Sendable {
    /// When the phone uses ICE.
    public enum Use: Equatable, Sendable {
        /// Only in answers to far ends that use it.
        case whenOffered
        case always
        /// Always, and only through a server at this address, which hides our own. Far ends without ICE are rejected.
        case relayed(PacketAddress)
    }

    public var description: ICEDescription
    public var use: Use

    public init(_ description: ICEDescription, use: Use) {
        self.description = description
        self.use = use
    }

    var isOffered: Bool { use != .whenOffered }

    /// The only address that the far end may learn. Nil: any.
    var onlyAddress: PacketAddress? { if case .relayed(let address) = use { address } else { nil } }

    /// Candidates for another session. It keeps the host candidates, all with this port, if this host is among them.
    /// Otherwise this address is the only one. Candidates from servers are dropped, because they are for the former
    /// port.
    func renewed(at local: PacketAddress, using generator: inout some RandomNumberGenerator) -> LocalICE {
        var renewed = self
        renewed.description.credentials = ICECredentials(using: &generator)
        renewed.description.isTrickled = false
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
