import Glibc
import NIOCore
import Platform

/// A listening socket for HTTP. Bound at once, so that a port in use is reported at the start.
enum HTTPListener {
    private static let backlog: CInt = 128
    /// The kernel's receive buffer for each client, in bytes, including the kernel's overhead.
    private static let receiveBuffer: CInt = 32_768

    /// - Returns: The descriptor, which the caller closes, and the port it is bound to.
    static func open(_ address: String, port: UInt16) throws(ControlError) -> (descriptor: CInt, port: UInt16) {
        guard let place = try? SocketAddress(ipAddress: address, port: Int(port)) else {
            throw .address(address, port: port, why: "the address is not numeric")
        }
        func check(_ result: CInt) throws(ControlError) {
            guard result >= 0 else { throw .address(address, port: port, why: text(errno)) }
        }
        let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = socket(CInt(place.protocol.rawValue), flags, 0)
        try check(made)
        let socket = FileDescriptor(owning: made)
        var yes: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        // A restart must not wait for old connections to time out.
        unsafe setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        var room = receiveBuffer
        unsafe setsockopt(made, SOL_SOCKET, SO_RCVBUF, &room, size)
        if case .v6 = place { unsafe setsockopt(made, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
        try check(unsafe place.withSockAddr { unsafe bind(made, $0, socklen_t($1)) })
        try check(listen(made, backlog))
        return (socket.release(), Self.port(of: made))
    }

    private static func text(_ code: CInt) -> String {
        switch code {
        case EADDRINUSE: "it is in use by another program"
        case EADDRNOTAVAIL: "this machine does not have this address"
        default: SystemError.text(code)
        }
    }

    /// The socket's port, which follows the family in both IPv4 and IPv6 addresses.
    private static func port(of socket: CInt) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(socket, $0, &length)
            }
        }
        return unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}
