import Glibc

/// The addresses of this machine at which a socket can be reached.
enum HostAddresses {
    /// Those that an interface has that is up: of one bound to a single address, only that one; of an IPv4 socket, only those
    /// of IPv4. Addresses that mean nothing beyond one link are left out, and those of the loopback are there only where
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

    private static func listed() -> [PeerAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [PeerAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard unsafe entry.pointee.ifa_flags & UInt32(IFF_UP) != 0, let address = unsafe entry.pointee.ifa_addr,
                let own = unsafe PeerAddress(address), !own.isLinkLocal
            else { continue }
            found.append(own)
        }
        return found
    }
}
