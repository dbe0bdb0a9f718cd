import Base

/// How a NAT or a firewall treats datagrams (RFC 4787 §4, §5).
struct NATBehaviour: Hashable, Sendable {
    /// The fields on which a mapping or filter depends besides the inner address.
    enum Dependence: Hashable, Comparable, Sendable { case nothing, address, addressAndPort }

    var mapping: Dependence
    var filtering: Dependence
    /// Whether addresses change at all; a firewall only filters.
    var translates = true
    /// Whether it takes packets from inside to its own outer address (RFC 4787 §6).
    var isHairpinning = false
    var passesUDP = true
    /// After this time without a packet in either direction a mapping is forgotten.
    var lifetime: Duration = .seconds(60)

    static let fullCone = NATBehaviour(mapping: .nothing, filtering: .nothing)
    static let restricted = NATBehaviour(mapping: .nothing, filtering: .address)
    static let portRestricted = NATBehaviour(mapping: .nothing, filtering: .addressAndPort)
    static let addressDependent = NATBehaviour(mapping: .address, filtering: .address)
    static let symmetric = NATBehaviour(mapping: .addressAndPort, filtering: .addressAndPort)
    static let firewall = NATBehaviour(mapping: .nothing, filtering: .addressAndPort, translates: false)
    static let noUDP = NATBehaviour(mapping: .nothing, filtering: .addressAndPort, passesUDP: false)
}

/// One NAT with its table.
struct NAT: Sendable {
    struct Mapping: Sendable {
        let inside: TransportAddress
        /// The destination, as far as mappings depend on it.
        let peer: TransportAddress?
        let outside: TransportAddress
        var peers: Set<TransportAddress> = []
        var usedAt: Instant
    }

    let behaviour: NATBehaviour
    /// Its address in the realm outside.
    let address: IPAddress
    /// The realm that it is attached to outside.
    let outside: Int
    private(set) var mappings: [Mapping] = []

    init(_ behaviour: NATBehaviour, address: IPAddress, outside: Int) {
        (self.behaviour, self.address, self.outside) = (behaviour, address, outside)
    }

    /// - Returns: The source that the packet has outside; nil if it does not get out.
    mutating func outbound(
        _ source: TransportAddress, to destination: TransportAddress, at now: Instant,
        using generator: inout SeededGenerator
    ) -> TransportAddress? {
        guard behaviour.passesUDP else { return nil }
        mappings.removeAll { $0.usedAt + behaviour.lifetime < now }
        let peer: TransportAddress? =
            switch behaviour.mapping {
            case .nothing: nil
            case .address: TransportAddress(destination.address, 0)
            case .addressAndPort: destination
            }
        let known = mappings.firstIndex { $0.inside == source && $0.peer == peer }
        let index = known ?? mappings.count
        if known == nil {
            let outside = behaviour.translates ? freePort(using: &generator) : source
            mappings.append(Mapping(inside: source, peer: peer, outside: outside, usedAt: now))
        }
        mappings[index].usedAt = now
        mappings[index].peers.insert(destination)
        return mappings[index].outside
    }

    private func freePort(using generator: inout SeededGenerator) -> TransportAddress {
        while true {
            let candidate = TransportAddress(address, .random(in: 1_024 ... .max, using: &generator))
            if !mappings.contains(where: { $0.outside == candidate }) { return candidate }
        }
    }

    /// - Returns: Where the packet goes inside; nil if it is filtered.
    mutating func inbound(
        _ source: TransportAddress, to destination: TransportAddress, at now: Instant
    ) -> TransportAddress? {
        guard behaviour.passesUDP else { return nil }
        let fitting = mappings.firstIndex { mapping in
            guard mapping.outside == destination, mapping.usedAt + behaviour.lifetime >= now else { return false }
            switch behaviour.filtering {
            case .nothing: return true
            case .address: return mapping.peers.contains { $0.address == source.address }
            case .addressAndPort: return mapping.peers.contains(source)
            }
        }
        guard let fitting else { return nil }
        mappings[fitting].usedAt = now
        return mappings[fitting].inside
    }
}
