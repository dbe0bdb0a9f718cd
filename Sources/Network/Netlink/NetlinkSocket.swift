import Glibc
import Platform

/// A socket of the kernel's routing interface (netlink(7)). Any user may open one. Other programs may write to it, too,
/// so only messages from port 0, the kernel, are read.
final class NetlinkSocket: Sendable {
    /// The multicast groups that a socket may join.
    enum Groups {
        /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE.
        static let network: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
        static let none: UInt32 = 0
    }

    /// sockaddr_nl: family, two bytes, port, groups.
    private static let addressBytes = 12
    private static let portOffset = 4
    /// The kernel answers during the request. No answer within this time would be a fault of the kernel.
    private static let answerSeconds = 2

    private let owned: FileDescriptor
    var descriptor: Int32 { owned.number }

    init(groups: UInt32) throws(SystemFailure) {
        let opened = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard opened >= 0 else { throw SystemFailure("the kernel's routing socket cannot be opened", errno) }
        owned = FileDescriptor(owning: opened)
        var limit = timeval(tv_sec: Self.answerSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(opened, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        var bytes: [UInt8] = []
        bytes.append(native: UInt16(AF_NETLINK))
        bytes.append(native: 0 as UInt16)
        // The kernel assigns a port.
        bytes.append(native: 0 as UInt32)
        bytes.append(native: groups)
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyBytes(from: bytes) }
        let isBound = unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(opened, $0, socklen_t(Self.addressBytes)) == 0
            }
        }
        guard isBound else { throw SystemFailure("the kernel does not report network changes", errno) }
    }

    func send(_ bytes: [UInt8]) throws(SystemFailure) {
        // An unconnected socket sends to the kernel.
        while unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) != bytes.count {
            guard errno == EINTR else { throw SystemFailure("the kernel accepts no queries about the network", errno) }
        }
    }

    enum Reception: Equatable {
        /// This many bytes from the kernel. A message that is longer than the buffer is cut.
        case bytes(Int)
        /// The kernel had more messages than the socket had room for. The rest is lost.
        case overflow
        /// Another program's message, or a signal.
        case nothing
        /// There is nothing to read now.
        case empty
    }

    /// - Parameter waits: Whether to wait for a message, at most `answerSeconds`.
    func receive(into buffer: inout [UInt8], waits: Bool) throws(SystemFailure) -> Reception {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        let count = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe recvfrom(descriptor, &buffer, buffer.count, flags, $0, &length)
            }
        }
        guard count >= 0 else {
            switch errno {
            case ENOBUFS: return .overflow
            case EAGAIN: return .empty
            case EINTR: return .nothing
            default: throw SystemFailure("the kernel's routing socket cannot be read", errno)
            }
        }
        let sender = unsafe withUnsafeBytes(of: &storage) {
            unsafe $0.load(fromByteOffset: Self.portOffset, as: UInt32.self)
        }
        return length == Self.addressBytes && sender == 0 ? .bytes(count) : .nothing
    }
}
