import ICECore

/// The candidates of this phone, and whether an offer says so.
public struct LocalICE: Equatable, Sendable {
    /// When ICE is done.
    public enum Use: Equatable, Sendable {
        /// ICE is done in answers to far ends that do it.
        case whenOffered
        case always
        /// Always, and through a server at this address only, which hides our own. Whoever does not do it is refused.
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

    /// Candidates of another session: of this machine's addresses those that stand beside this one, all with its port. What
    /// servers told of the former port is not true of another one.
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

    /// That of a host candidate which is preferred to all others (RFC 8445 §5.1.2.1).
    private static let highestPriority: UInt32 = 126 << 24 | 65_535 << 8 | 255
}

extension RemoteCandidate {
    /// The same address with another port. Nil: it has a name.
    fileprivate func at(port: UInt16) -> Candidate? {
        guard case .address(let address) = host else { return nil }
        return Candidate(
            foundation: foundation, priority: priority, address: TransportAddress(address, port), kind: kind)
    }
}
