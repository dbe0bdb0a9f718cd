import ICECore

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
