import Base
import PhoneCore

/// Decides the phone's path from a survey: the machine's addresses that its sockets can use, and the kind of the first
/// one's link.
///
/// - A socket at one address uses that address, as long as a running link has it. That may be the loopback.
/// - A socket at all addresses of a family uses the one from which the kernel would send to far destinations. So the
///   kernel's routes, metrics and rules decide the path. Of temporary addresses (RFC 8981), only that one counts.
/// - Without a far route, every address counts that reaches beyond its link: on an isolated network the server is a
///   neighbour. Real devices count before other links, such as bridges between containers. Self-assigned IPv4 addresses
///   come last.
/// - The loopback alone is a path only on a machine that has no other link.
package struct PathChoice: Sendable {
    /// The addresses that the sockets are bound to.
    private let listening: [Listening]

    private enum Listening: Equatable {
        case all(isVersion6: Bool)
        case one(IPAddress)
    }

    /// - Parameter addresses: Numeric, as 0.0.0.0 or ::1. Other texts are left out.
    package init(listening addresses: [String]) {
        listening = addresses.compactMap { IPAddress(zoned: $0) }.map { address in
            address.isUnspecified ? .all(isVersion6: address.isVersion6) : .one(address)
        }
    }

    package func path(in survey: NetworkSurvey) -> NetworkPath {
        let places = Places(survey)
        var found = listening.flatMap { listening in
            switch listening {
            case .one(let address): places.held(address)
            case .all(let isVersion6): places.routed(isVersion6)
            }
        }
        // The families in which the kernel has no far route.
        let families = listening.compactMap { listening -> Bool? in
            guard case .all(let isVersion6) = listening else { return nil }
            return found.contains { $0.address.isVersion6 == isVersion6 } ? nil : isVersion6
        }
        found += places.standing(families) { $0 != .other }
        if found.isEmpty { found = places.standing(families) { $0 == .other } }
        if found.isEmpty { found = places.leftOver(families) }
        if found.isEmpty { found = places.looped(families) }
        guard let first = found.first else { return .none }
        let texts = found.map(\.address.text)
        let addresses = texts.indices.filter { texts.firstIndex(of: texts[$0]) == $0 }.map { texts[$0] }
        return NetworkPath(first.kind, addresses: addresses)
    }
}

/// The machine's addresses in a survey that a socket may use.
struct Places {
    struct Place: Equatable {
        let kind: NetworkPath.Kind
        let address: IPAddress
    }

    private let survey: NetworkSurvey
    private let kinds: LinkKinds
    private let running: [UInt32: NetworkLink]

    init(_ survey: NetworkSurvey) {
        self.survey = survey
        kinds = LinkKinds(survey.links)
        running = Dictionary(survey.links.filter(\.isRunning).map { ($0.index, $0) }) { first, _ in first }
    }

    /// The address that a socket is bound to, if a running link has it.
    func held(_ address: IPAddress) -> [Place] {
        let own = survey.addresses.first { $0.address == address && $0.isReady && running[$0.link] != nil }
        if let link = own.flatMap({ running[$0.link] }) { return [Place(kind: kinds[link], address: address)] }
        // The loopback has all of 127.0.0.0/8, but lists only one address.
        let isLooped = !address.isVersion6 && address.isLoopback && running.values.contains(where: \.isLoopback)
        return isLooped ? [Place(kind: .other, address: address)] : []
    }

    /// The addresses from which the kernel would send to far destinations.
    func routed(_ isVersion6: Bool) -> [Place] {
        survey.routes.compactMap { route in
            guard route.source.isVersion6 == isVersion6, let link = running[route.link], !link.isLoopback,
                survey.addresses.contains(where: { $0.address == route.source && $0.reachesFar })
            else { return nil }
            return Place(kind: kinds[link], address: route.source)
        }
    }

    /// Addresses on running links of certain kinds, the best links first. Temporary and secondary addresses do not
    /// count.
    func standing(_ families: [Bool], where isMeant: (NetworkPath.Kind) -> Bool) -> [Place] {
        addresses(of: families, where: isMeant) { $0.reachesFar && !$0.isDeprecated }
    }

    /// The addresses of last resort: deprecated ones, and those that IPv4 assigns itself (RFC 3927). With these, two
    /// intercoms on one cable can reach each other.
    func leftOver(_ families: [Bool]) -> [Place] {
        addresses(of: families, where: { _ in true }) { $0.isReady && !$0.isOwnToEveryLink }
    }

    private func addresses(
        of families: [Bool], where isMeant: (NetworkPath.Kind) -> Bool, _ isGood: (NetworkAddress) -> Bool
    ) -> [Place] {
        let links = running.values.filter { !$0.isLoopback && isMeant(kinds[$0]) }
            .sorted { (kinds[$0].rank, $0.index) < (kinds[$1].rank, $1.index) }
        return links.flatMap { link in
            survey.addresses.filter {
                $0.link == link.index && !$0.isSecondary && families.contains($0.isVersion6) && isGood($0)
            }.map { Place(kind: kinds[link], address: $0.address) }
        }
    }

    /// The loopback's addresses, on a machine that has no other link.
    func looped(_ families: [Bool]) -> [Place] {
        guard survey.links.allSatisfy(\.isLoopback) else { return [] }
        return survey.addresses.filter { running[$0.link] != nil && families.contains($0.isVersion6) }
            .map { Place(kind: .other, address: $0.address) }
    }
}
