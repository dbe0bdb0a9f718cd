import PhoneCore

/// What links are to a person.
struct LinkKinds {
    private enum Hardware {
        static let ethernet: UInt16 = 1
        /// PPP, by which a modem is dialled, and packets without a frame, as modems give them.
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

    /// The kind that a link has by itself.
    private static func own(_ link: NetworkLink) -> NetworkPath.Kind {
        switch (link.device, link.driver) {
        case ("wlan", _): return .wifi
        case ("wwan", _), (_, "wwan"), (_, "rmnet"): return .cellular
        // The cable of a container.
        case (_, "veth"): return .wired
        case (_, nil), (_, "dsa"), (_, "ppp"):
            if Hardware.modems.contains(link.hardware) { return .cellular }
            return link.hardware == Hardware.ethernet ? .wired : .other
        default: return .other
        }
    }

    /// What stands on another link is of its kind, and what has ports of the best of theirs. A bridge between containers
    /// does not lead out.
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
    /// The order in which links are preferred when the kernel prefers none.
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
