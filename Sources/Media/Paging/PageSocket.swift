import Base
import Glibc
import Platform
import Synchronization

/// The socket of one group of pages. It only receives.
///
/// It is bound to the group's address, so that the kernel passes no packet that was sent to this host alone. It
/// receives packets only from the interface on which it joined the group, whatever other programs have joined.
final class PageSocket: Sendable {
    private static let intSize = socklen_t(MemoryLayout<Int32>.size)

    private let owned: FileDescriptor
    private let group: TransportAddress
    /// The index of the interface on which the group is joined; 0: the kernel chose it. Only the control thread uses
    /// it, so the lock never waits.
    private let joined = Mutex<Int32?>(nil)

    var descriptor: Int32 { owned.number }

    init(_ group: TransportAddress) throws(MediaError) {
        self.group = group
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(group.address.isVersion6 ? AF_INET6 : AF_INET, flags, 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        owned = FileDescriptor(owning: descriptor)
        // Several phones on one machine receive the same group.
        try Self.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if group.address.isVersion6 {
            try Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
            try Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_ALL, 0)
        } else {
            try Self.set(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_ALL, 0)
        }
        let isBound = unsafe group.withSystemAddress {
            unsafe Glibc.bind(descriptor, $0, $1) == 0
        }
        guard isBound else { throw .system("bind", errno) }
    }

    /// Joins the group on the interface with one of these addresses; without addresses, on an interface that the kernel
    /// chooses. Then leaves the group on the previous interface. Never blocks.
    func join(_ addresses: [String]) throws(MediaError) {
        let wanted = addresses.compactMap { IPAddress($0)?.unmapped }
        let interface = try wanted.isEmpty ? 0 : Self.interface(of: wanted)
        let before = joined.withLock { $0 }
        // It is not an error if the group is already joined. Join again in any case: an interface may have gone away
        // and come back with the same index.
        guard change(isMember: true, on: interface) || errno == EADDRINUSE else { throw .system("join", errno) }
        joined.withLock { $0 = interface }
        // The interface may be gone; then leaving fails harmlessly.
        if let before, before != interface { _ = change(isMember: false, on: before) }
    }

    private func change(isMember: Bool, on interface: Int32) -> Bool {
        unsafe group.withSystemAddress { address, _ in
            guard !group.address.isVersion6 else {
                let six = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
                var request = ipv6_mreq(ipv6mr_multiaddr: six.sin6_addr, ipv6mr_interface: UInt32(interface))
                return unsafe setsockopt(
                    descriptor, Int32(IPPROTO_IPV6), isMember ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP, &request,
                    socklen_t(MemoryLayout<ipv6_mreq>.size)) == 0
            }
            let four = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            var request = ip_mreqn(imr_multiaddr: four.sin_addr, imr_address: in_addr(), imr_ifindex: interface)
            return unsafe setsockopt(
                descriptor, Int32(IPPROTO_IP), isMember ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, &request,
                socklen_t(MemoryLayout<ip_mreqn>.size)) == 0
        }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) throws(MediaError) {
        var value = value
        guard unsafe setsockopt(descriptor, level, option, &value, intSize) == 0 else {
            throw .system("setsockopt", errno)
        }
    }

    /// The index of the interface that has one of these addresses.
    static func interface(of wanted: [IPAddress]) throws(MediaError) -> Int32 {
        let interfaces: [HostInterface]
        do throws(SystemFailure) { interfaces = try HostInterface.listed() } catch { throw MediaError(error) }
        let found = interfaces.first { own in
            wanted.contains { $0 == own.address || $0.isLoopback && own.address.isLoopback }
        }
        guard let found else { throw .system("no interface has the address", ENODEV) }
        return found.number
    }
}
