/// The path between a phone and the Internet, from the outside to the inside.
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

    /// The combined behaviour of them all. Of two, the stricter counts; and only the outer one has an address outside.
    private var mapping: NATBehaviour.Dependence { nats.map(\.mapping).max() ?? .nothing }
    private var filtering: NATBehaviour.Dependence { nats.map(\.filtering).max() ?? .nothing }
    private var passesUDP: Bool { nats.allSatisfy(\.passesUDP) }

    /// Whether theory lets the two find each other without a server.
    ///
    /// An end with endpoint-independent mappings is reached at the address that the STUN server saw, once it has sent
    /// there. An end with other mappings comes from another port than the peer knows: only a peer whose filter ignores
    /// ports admits it. With two such ends, each sends to a mapping of the other that admits only the STUN server.
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
