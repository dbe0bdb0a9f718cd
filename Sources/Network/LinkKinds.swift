import PhoneCore

/// The kinds of links, as a person knows them.
struct LinkKinds {
    private enum Hardware {
        static let ethernet: UInt16 = 1
        /// PPP, for dialled modems, and frameless packets, as other modems give them.
        static let modems: Set<UInt16> = [512, 519]
    }

    /// A VLAN on a bridge on a bond takes three rounds.
    private static let rounds = 3

    private var kinds: [UInt32: NetworkPath.Kind] = [:]

    init(_ links: [NetworkLink]) {
        for link in links { kinds[link.index] = Self.own(link) }
        for _ in 0..<Self.rounds { derive(links) }
    }

    subscript(link: NetworkLink) -> NetworkPath.Kind { kinds[link.index] ?? .other }

    /// The kind of a link on its own, without the links below it.
    private static func own(_ link: NetworkLink) -> NetworkPath.Kind {
        switch (link.device, link.driver) {
        case ("wlan", _): return .wifi
        case ("wwan", _), (_, "wwan"), (_, "rmnet"): return .cellular
        // The virtual cable of a container.
        case (_, "veth"): return .wired
        case (_, nil), (_, "dsa"), (_, "ppp"):
            if Hardware.modems.contains(link.hardware) { return .cellular }
            return link.hardware == Hardware.ethernet ? .wired : .other
        default: return .other
        }
    }

    /// Derives the kinds of virtual links. A link on another one has its kind. A link with ports has the best kind of
    /// its ports. A bridge between containers does not lead out.
    private mutating func derive(_ links: [NetworkLink]) {
        var best: [UInt32: NetworkPath.Kind] = [:]
        for link in links where link.driver != "veth" {
            guard let master = link.master else { continue }
            let known = best[master] ?? .none
            best[master] = self[link].rank < known.rank ? self[link] : known
        }
        for link in links {
            switch link.driver {
            case "vlan", "macvlan", "ipvlan": kinds[link.index] = link.parent.flatMap { kinds[$0] } ?? .other
            case "bridge", "bond", "team": kinds[link.index] = best[link.index] ?? .other
            default: break
            }
        }
    }
}

extension NetworkPath.Kind {
    /// The order of preference among links when the kernel prefers none.
    var rank: Int {
        switch self {
        case .wired: 0
        case .wifi: 1
        case .cellular: 2
        case .other: 3
        case .none: 4
        }
    }
}
