import PhoneCore

/// The machine's addresses in a survey that a socket may use.
struct Places {
    struct Place: Equatable {
        let kind: NetworkPath.Kind
        let bytes: [UInt8]

        var isVersion6: Bool { bytes.count == 16 }
        var text: String { NumericAddress.text(bytes) }
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
    func held(_ bytes: [UInt8]) -> [Place] {
        let own = survey.addresses.first { $0.bytes == bytes && $0.isReady && running[$0.link] != nil }
        if let link = own.flatMap({ running[$0.link] }) { return [Place(kind: kinds[link], bytes: bytes)] }
        // The loopback has all of 127.0.0.0/8, but lists only one address.
        let isLooped = bytes.count == 4 && bytes[0] == 127 && running.values.contains(where: \.isLoopback)
        return isLooped ? [Place(kind: .other, bytes: bytes)] : []
    }

    /// The addresses from which the kernel would send to far destinations.
    func routed(_ isVersion6: Bool) -> [Place] {
        survey.routes.compactMap { route in
            guard (route.source.count == 16) == isVersion6, let link = running[route.link], !link.isLoopback,
                survey.addresses.contains(where: { $0.bytes == route.source && $0.reachesFar })
            else { return nil }
            return Place(kind: kinds[link], bytes: route.source)
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
            }.map { Place(kind: kinds[link], bytes: $0.bytes) }
        }
    }

    /// The loopback's addresses, on a machine that has no other link.
    func looped(_ families: [Bool]) -> [Place] {
        guard survey.links.allSatisfy(\.isLoopback) else { return [] }
        return survey.addresses.filter { running[$0.link] != nil && families.contains($0.isVersion6) }
            .map { Place(kind: .other, bytes: $0.bytes) }
    }
}
