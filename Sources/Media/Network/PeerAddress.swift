import Glibc
import ICECore
import PhoneCore

/// An IPv4 or IPv6 address and port as plain bytes, so that it fits through rings and compares quickly.
///
/// IPv4 is stored as the IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). So a peer has the same value on a socket of
/// either family.
package struct PeerAddress: Equatable, BitwiseCopyable, Sendable {
    private static let mapped: UInt64 = 0xFFFF_0000_0000

    /// The address in two halves, in the machine's byte order.
    private let high: UInt64
    private let low: UInt64
    package var port: UInt16

    package init?(host: String, port: UInt16) {
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, host, &four) == 1 {
            (high, low) = (0, Self.mapped | UInt64(UInt32(bigEndian: four.s_addr)))
        } else if unsafe inet_pton(AF_INET6, host, &six) == 1 {
            (high, low) = Self.halves(six)
        } else {
            return nil
        }
        self.port = port
    }

    /// The same host, with port 0.
    package var host: PeerAddress {
        var host = self
        host.port = 0
        return host
    }

    package init?(_ address: MediaAddress) { self.init(host: address.host, port: address.port) }

    /// The sender of a datagram, as the kernel wrote it.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = unsafe withUnsafeBytes(of: &storage) { unsafe $0.loadUnaligned(as: sockaddr_in.self) }
            (high, low) = (0, Self.mapped | UInt64(UInt32(bigEndian: address.sin_addr.s_addr)))
            port = UInt16(bigEndian: address.sin_port)
        case AF_INET6:
            let address = unsafe withUnsafeBytes(of: &storage) { unsafe $0.loadUnaligned(as: sockaddr_in6.self) }
            (high, low) = Self.halves(address.sin6_addr)
            port = UInt16(bigEndian: address.sin6_port)
        default:
            return nil
        }
    }

    /// A local address, with port 0.
    init(_ address: in6_addr) {
        (high, low) = Self.halves(address)
        port = 0
    }

    /// The address in IPv6 form.
    var inetAddress: in6_addr {
        var address = in6_addr()
        unsafe withUnsafeMutableBytes(of: &address) {
            unsafe $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            unsafe $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether it is a multicast group: 224.0.0.0/4 (RFC 5771 §3), or ff00::/8 beyond one link (RFC 4291 §2.7).
    package var isMulticast: Bool {
        isIPv4 ? UInt32(truncatingIfNeeded: low) >> 28 == 0xE : high >> 56 == 0xFF && high >> 48 & 0xF > 2
    }

    /// Whether it is in 127.0.0.0/8, all of which is this host (RFC 1122 §3.2.1.3), or ::1.
    var isLoopback: Bool { isIPv4 ? UInt32(truncatingIfNeeded: low) >> 24 == 127 : high == 0 && low == 1 }

    /// Whether it is valid on one link only: 169.254.0.0/16 (RFC 3927), or fe80::/10 (RFC 4291 §2.5.6).
    var isLinkLocal: Bool { isIPv4 ? UInt32(truncatingIfNeeded: low) >> 16 == 0xA9FE : high >> 54 == 0x3FA }

    /// Whether it is the wildcard address.
    var isUnspecified: Bool { high == 0 && (low == 0 || low == Self.mapped) }

    /// Four bytes or sixteen, in network order.
    var bytes: [UInt8] {
        func split(_ half: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) }
        }
        return isIPv4 ? split(low, 4) : split(high, 8) + split(low, 8)
    }

    package func isSameHost(as other: PeerAddress) -> Bool { high == other.high && low == other.low }

    /// An address of this host, as the kernel listed it; nil for one that is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        var storage = sockaddr_storage()
        let family = unsafe Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        unsafe withUnsafeMutableBytes(of: &storage) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
        }
        self.init(storage)
    }

    /// Lends the address in the form for a socket of the given family.
    func withSocketAddress<Result>(
        isIPv6: Bool, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        guard isIPv6 else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
            return unsafe Self.lend(&address, to: body)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = inetAddress
        return unsafe Self.lend(&address, to: body)
    }

    private static func lend<Address, Result>(
        _ address: UnsafePointer<Address>, to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<Address>.size))
        }
    }

    private static func halves(_ address: in6_addr) -> (UInt64, UInt64) {
        unsafe withUnsafeBytes(of: address) {
            unsafe (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

extension PeerAddress {
    init?(_ address: TransportAddress) { self.init(host: address.address.text, port: address.port) }

    /// The same address as ICECore's type, in its address family.
    var transportAddress: TransportAddress? {
        IPAddress(bytes: bytes).map { TransportAddress($0, port) }
    }

    /// The address as text.
    var mediaAddress: MediaAddress? { transportAddress.map { MediaAddress(host: $0.address.text, port: port) } }
}

extension RemoteCandidate {
    /// Nil if it has a host name instead of an address.
    var address: TransportAddress? {
        if case .address(let host) = host { TransportAddress(host, port) } else { nil }
    }
}

/// An address of this machine, and its interface.
struct HostInterface {
    let address: PeerAddress
    /// The kernel's index of the interface.
    let number: Int32
    let isUp: Bool

    /// All addresses, in the kernel's order. Takes a few system calls.
    static func listed() throws(MediaError) -> [HostInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { throw .system("getifaddrs", errno) }
        defer { unsafe freeifaddrs(list) }
        var found: [HostInterface] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let address = unsafe entry.pointee.ifa_addr, let own = unsafe PeerAddress(address) else { continue }
            let number = Int32(bitPattern: unsafe if_nametoindex(entry.pointee.ifa_name))
            let isUp = unsafe entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
            found.append(HostInterface(address: own, number: number, isUp: isUp))
        }
        return found
    }
}
