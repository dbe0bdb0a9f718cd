/// The addresses of this machine at which a socket can be reached.
enum HostAddresses {
    /// The addresses, on interfaces that are up, at which the socket is reached: for one bound to a single address only that
    /// one, for an IPv4 socket only those of IPv4. Link-local addresses are left out, and loopback ones are there only where
    /// there is no other.
    static func reaching(_ bound: PeerAddress, isIPv6: Bool) -> [PeerAddress] {
        guard bound.isUnspecified else { return [bound] }
        let all = listed().filter { isIPv6 || $0.isIPv4 }
        let beyond = all.filter { !$0.isLoopback }
        return (beyond.isEmpty ? all : beyond).map { address in
            var place = address
            place.port = bound.port
            return place
        }
    }

    /// A machine that does not say has no addresses to tell.
    private static func listed() -> [PeerAddress] {
        ((try? HostInterface.listed()) ?? []).filter { $0.isUp && !$0.address.isLinkLocal }.map(\.address)
    }
}
