import Glibc
import Media

/// A member of an IPv4 group on the loopback interface, which stores packets unchanged.
final class GroupEar {
    struct Failure: Error {}

    struct Packet {
        let bytes: [UInt8]
        /// The packet's time to live.
        let hops: Int32

        /// A whole number, the most significant octet first.
        func number(at place: Int, octets: Int) -> Int {
            bytes[place..<place + octets].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private let socket: Int32

    init(_ group: MediaSettings.PageGroup, port: UInt16? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (port ?? group.port).bigEndian
        unsafe inet_pton(AF_INET, group.address, &address.sin_addr)
        var request = ip_mreqn(
            imr_multiaddr: address.sin_addr, imr_address: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), imr_ifindex: 0
        )
        var one: Int32 = 1
        let (descriptor, size) = (socket, socklen_t(MemoryLayout<Int32>.size))
        let isReady = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size) == 0
                    && bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    && setsockopt(
                        descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request,
                        socklen_t(MemoryLayout<ip_mreqn>.size)) == 0
                    && setsockopt(descriptor, Int32(IPPROTO_IP), IP_RECVTTL, &one, size) == 0
            }
        }
        guard isReady else { throw Failure() }
    }

    deinit { close(socket) }

    /// Received packets, oldest first.
    func received() -> [Packet] {
        var packets: [Packet] = []
        while let packet = next() { packets.append(packet) }
        return packets
    }

    private func next() -> Packet? {
        var bytes = [UInt8](repeating: 0, count: 2_048)
        // A header of control data, and the number that it carries.
        var control = [UInt8](repeating: 0, count: 64)
        let header = MemoryLayout<cmsghdr>.size
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = part
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    return unsafe recvmsg(socket, &message, Int32(MSG_DONTWAIT))
                }
            }
        }
        guard count >= 0 else { return nil }
        let hops = unsafe control.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: header, as: Int32.self) }
        return Packet(bytes: Array(bytes.prefix(count)), hops: hops)
    }
}
