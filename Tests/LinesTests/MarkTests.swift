import Glibc
import LineCore
import Lines
import NIOCore
import NIOPosix
import Testing

@Suite("Marks of packets")
struct MarkTests {
    @Test("signalling is marked CS3", arguments: [false, true])
    func mark(isIPv6: Bool) async throws {
        let receiver = try Receiver(isIPv6: isIPv6)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let host = isIPv6 ? "::1" : "127.0.0.1"
        let phone = try await Phone(
            "alice", on: loop,
            account: .init(domain: "d.example", server: NextHop(host: host, port: receiver.port))
        ) { $0.addresses = [host] }
        try await phone.start()
        let mark = try #require(try await NIOThreadPool.singleton.runIfActive { receiver.mark() })
        #expect(mark >> 2 == 24)
        try await phone.close()
    }

    /// A socket that asks the system for the mark of received datagrams.
    private final class Receiver: Sendable {
        let port: UInt16
        private let socket: CInt
        private let isIPv6: Bool

        init(isIPv6: Bool) throws {
            self.isIPv6 = isIPv6
            let file = Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
            var (yes, limit) = (CInt(1), timeval(tv_sec: 5, tv_usec: 0))
            let level = CInt(isIPv6 ? IPPROTO_IPV6 : IPPROTO_IP)
            unsafe setsockopt(file, level, isIPv6 ? IPV6_RECVTCLASS : IP_RECVTOS, &yes, 4)
            unsafe setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let address = try SocketAddress(ipAddress: isIPv6 ? "::1" : "127.0.0.1", port: 0)
            let bound = unsafe address.withSockAddr { unsafe bind(file, $0, socklen_t($1)) }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let named = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
                unsafe getsockname(file, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
            guard file >= 0, bound == 0, named == 0 else { throw CancellationError() }
            // The port is at the same offset in both families.
            port = unsafe withUnsafeBytes(of: &storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
            socket = file
        }

        deinit { close(socket) }

        /// The mark of the next datagram; nil if none comes, or it has none.
        func mark() -> UInt8? {
            var data = [UInt8](repeating: 0, count: 4_096)
            var control = [UInt8](repeating: 0, count: 256)
            return unsafe data.withUnsafeMutableBytes { data in
                unsafe control.withUnsafeMutableBytes { control in
                    var piece = unsafe iovec(iov_base: data.baseAddress, iov_len: data.count)
                    return unsafe withUnsafeMutablePointer(to: &piece) { piece in
                        var message = unsafe msghdr()
                        unsafe (message.msg_iov, message.msg_iovlen) = (piece, 1)
                        unsafe (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                        guard unsafe recvmsg(socket, &message, 0) > 0, unsafe message.msg_controllen > 16 else {
                            return nil
                        }
                        return unsafe control[MemoryLayout<cmsghdr>.size]
                    }
                }
            }
        }
    }
}
