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
        case one([UInt8])
    }

    /// - Parameter addresses: Numeric, as 0.0.0.0 or ::1. Other texts are left out.
    package init(listening addresses: [String]) {
        listening = addresses.compactMap(NumericAddress.bytes).map { bytes in
            bytes.allSatisfy { $0 == 0 } ? .all(isVersion6: bytes.count == 16) : .one(bytes)
        }
    }

    package func path(in survey: NetworkSurvey) -> NetworkPath {
        let places = Places(survey)
        var found = listening.flatMap { listening in
            switch listening {
            case .one(let bytes): places.held(bytes)
            case .all(let isVersion6): places.routed(isVersion6)
            }
        }
        // The families in which the kernel has no far route.
        let families = listening.compactMap { listening -> Bool? in
            guard case .all(let isVersion6) = listening else { return nil }
            return found.contains { $0.isVersion6 == isVersion6 } ? nil : isVersion6
        }
        found += places.standing(families) { $0 != .other }
        if found.isEmpty { found = places.standing(families) { $0 == .other } }
        if found.isEmpty { found = places.leftOver(families) }
        if found.isEmpty { found = places.looped(families) }
        guard let first = found.first else { return .none }
        let texts = found.map(\.text)
        let addresses = texts.indices.filter { texts.firstIndex(of: texts[$0]) == $0 }.map { texts[$0] }
        return NetworkPath(first.kind, addresses: addresses)
    }
}
