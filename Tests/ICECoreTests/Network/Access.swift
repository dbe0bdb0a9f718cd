import ICECore

/// What is between a phone and the Internet, from the outside to the inside.
struct Access: Hashable, Sendable, CustomStringConvertible {
    let description: String
    let nats: [NATBehaviour]

    static let open = Access(description: "open", nats: [])
    static let firewall = Access(description: "firewall", nats: [.firewall])
    static let fullCone = Access(description: "full cone", nats: [.fullCone])
    static let restricted = Access(description: "restricted", nats: [.restricted])
    static let portRestricted = Access(description: "port-restricted", nats: [.portRestricted])
    static let addressDependent = Access(description: "address-dependent", nats: [.addressDependent])
    static let symmetric = Access(description: "symmetric", nats: [.symmetric])
    static let double = Access(description: "double", nats: [.portRestricted, .restricted])
    static let noUDP = Access(description: "no UDP", nats: [.noUDP])

    static let all = [
        open, firewall, fullCone, restricted, portRestricted, addressDependent, symmetric, double, noUDP,
    ]

    /// What all of them together depend on. Of two, the stricter counts; and only the outer one has an address outside.
    private var mapping: NATBehaviour.Dependence { nats.map(\.mapping).max() ?? .nothing }
    private var filtering: NATBehaviour.Dependence { nats.map(\.filtering).max() ?? .nothing }
    private var passesUDP: Bool { nats.allSatisfy(\.passesUDP) }

    /// Whether theory lets the two find each other without a server between them.
    ///
    /// An end whose mappings do not depend on the peer is reached where the STUN server saw it, once it has sent there.
    /// An end whose mappings do depend on it comes from another port than the one that the peer knows and has sent to:
    /// only a peer whose filter does not look at ports lets it in. With two such ends, each sends to a mapping of the
    /// other's that lets only the STUN server in.
    func reachesDirectly(_ peer: Access) -> Bool {
        guard passesUDP, peer.passesUDP else { return false }
        switch (mapping == .nothing, peer.mapping == .nothing) {
        case (true, true): return true
        case (true, false): return filtering != .addressAndPort
        case (false, true): return peer.filtering != .addressAndPort
        case (false, false): return false
        }
    }
}
