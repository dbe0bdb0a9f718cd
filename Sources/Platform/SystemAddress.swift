import Base
import Glibc

/// Addresses in the form of system calls. The kernel's IPv4-mapped IPv6 addresses become IPv4 addresses, so a peer has
/// the same value on a socket of either family.
extension TransportAddress {
    /// An address that the kernel wrote, as long as its family requires. Nil if it is neither IPv4 nor IPv6.
    package init?(_ address: UnsafePointer<sockaddr>) {
        let start = unsafe UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            let address = unsafe start.loadUnaligned(as: sockaddr_in.self)
            self.init(
                IPAddress(version4: UInt32(bigEndian: address.sin_addr.s_addr)), UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = unsafe start.loadUnaligned(as: sockaddr_in6.self)
            self.init(IPAddress(address.sin6_addr), UInt16(bigEndian: address.sin6_port))
        default:
            return nil
        }
    }

    /// The sender of a datagram, as the kernel wrote it.
    package init?(_ storage: sockaddr_storage) {
        let address = unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe TransportAddress($0) }
        }
        guard let address else { return nil }
        self = address
    }

    /// The address that a socket is bound to. Nil if the kernel refuses to say; `errno` then has the reason.
    package init?(boundBy socket: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length)
            }
        }
        guard result == 0 else { return nil }
        self.init(storage)
    }

    /// Lends the address in the form for a socket of its own family.
    package func withSystemAddress<Result, Failure>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withSystemAddress(isIPv6: address.isVersion6, body)
    }

    /// Lends the address in the form for a socket of the given family. Allocates nothing.
    package func withSystemAddress<Result, Failure>(
        isIPv6: Bool, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard isIPv6 else {
            var four = sockaddr_in()
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            four.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.low).bigEndian
            return try unsafe Self.lend(&four, to: body)
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        six.sin6_addr = address.version6
        return try unsafe Self.lend(&six, to: body)
    }

    private static func lend<Address, Result, Failure>(
        _ address: UnsafePointer<Address>, to body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(
            UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Address>.size))
    }
}

extension IPAddress {
    /// An address that the kernel wrote.
    package init(_ address: in6_addr) {
        let (high, low) = unsafe withUnsafeBytes(of: address) {
            unsafe (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self = IPAddress(high: high, low: low).unmapped
    }

    /// The address in IPv6 form; an IPv4 address is IPv4-mapped.
    package var version6: in6_addr {
        var address = in6_addr()
        unsafe withUnsafeMutableBytes(of: &address) {
            unsafe $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            unsafe $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }
}

/// An address of this machine, and its interface.
package struct HostInterface {
    package let address: IPAddress
    /// The kernel's index of the interface.
    package let number: Int32
    package let isUp: Bool
    /// Whether it has a carrier, that is, its cable is plugged in.
    package let isRunning: Bool

    /// All addresses, in the kernel's order. Takes a few system calls.
    package static func listed() throws(SystemFailure) -> [HostInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { throw SystemFailure("getifaddrs", errno) }
        defer { unsafe freeifaddrs(list) }
        var found: [HostInterface] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let own = unsafe entry.pointee.ifa_addr.flatMap({ unsafe TransportAddress($0) }) else { continue }
            let flags = unsafe entry.pointee.ifa_flags
            found.append(
                HostInterface(
                    address: own.address, number: Int32(bitPattern: unsafe if_nametoindex(entry.pointee.ifa_name)),
                    isUp: flags & UInt32(IFF_UP) != 0, isRunning: flags & UInt32(IFF_RUNNING) != 0))
        }
        return found
    }
}
