/// The addresses of this machine at which a socket can be reached.
enum HostAddresses {
    /// The addresses, on interfaces that are up, that reach the socket. A socket bound to one address has only that
    /// one; an IPv4 socket has only IPv4 addresses. Link-local addresses are left out. Loopback addresses count only if
    /// there are no others.
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

    /// Without an answer from the kernel, there are no addresses.
    private static func listed() -> [PeerAddress] {
        ((try? HostInterface.listed()) ?? []).filter { $0.isUp && !$0.address.isLinkLocal }.map(\.address)
    }
}
