// Its header brings the declarations of sockets along, which then belong to it for the compiler.
import CCares
import Glibc
import NIOCore

/// The few system calls that NIO does not make in the way we need: bind and fail at once, and ask for the way.
enum SystemSocket {
    struct Failure: Error, Equatable {
        let code: CInt
        var text: String { unsafe String(cString: strerror(code)) }
    }

    enum Kind {
        case datagram, stream

        var type: CInt {
            switch self {
            case .datagram: CInt(SOCK_DGRAM.rawValue)
            case .stream: CInt(SOCK_STREAM.rawValue)
            }
        }
    }

    /// A bound socket, and for a stream a listening one. The caller owns it.
    static func bound(_ kind: Kind, host: String, port: UInt16) throws(Failure) -> CInt {
        try unsafe open(kind, host: host, port: port) { socket, address, length in
            var yes: CInt = 1
            let size = socklen_t(MemoryLayout<CInt>.size)
            // A restart must not wait for connections of the last run; a live listener is refused all the same.
            if kind == .stream { unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, size) }
            if host.isVersion6 { unsafe setsockopt(socket, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
            mark(socket, isIPv6: host.isVersion6)
            guard unsafe bind(socket, address, length) == 0 else { return false }
            return kind == .datagram || listen(socket, 64) == 0
        }
    }

    /// The own address from which packets to `host` leave: the kernel chooses it when a datagram socket connects,
    /// and nothing is sent for it.
    static func localHost(towards host: String, port: UInt16) throws(Failure) -> String {
        let socket = try unsafe open(.datagram, host: host, port: port) { socket, address, length in
            unsafe connect(socket, address, length) == 0
        }
        defer { close(socket) }
        return try name(of: socket).host
    }

    /// The port that a socket is bound to.
    static func port(of socket: CInt) throws(Failure) -> UInt16 { try name(of: socket).port }

    /// CS3, which networks that know telephones let pass before the rest (RFC 4594 §3.2): DSCP 24 in the upper six bits.
    private static let signalling: CInt = 24 << 2

    private static func mark(_ socket: CInt, isIPv6: Bool) {
        var mark = signalling
        let size = socklen_t(MemoryLayout<CInt>.size)
        // A system that refuses the mark still carries the packets. What a listener accepts inherits it.
        if isIPv6 {
            unsafe setsockopt(socket, CInt(IPPROTO_IPV6), IPV6_TCLASS, &mark, size)
        } else {
            unsafe setsockopt(socket, CInt(IPPROTO_IP), IP_TOS, &mark, size)
        }
    }

    /// The same mark for a connection that is still to be made.
    static func marks(isIPv6: Bool) -> [(ChannelOptions.Types.SocketOption, ChannelOptions.Types.SocketOption.Value)] {
        let option =
            isIPv6
            ? ChannelOptions.Types.SocketOption(level: .ipv6, name: .init(rawValue: IPV6_TCLASS))
            : ChannelOptions.Types.SocketOption(level: .ip, name: .init(rawValue: IP_TOS))
        return [(option, .init(signalling))]
    }

    /// The first numeric address of a name, in a family or in any, by all that this system knows besides the name
    /// service. Blocks: never on the loop.
    static func resolve(_ host: String, family: CInt) -> String? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = family
        unsafe hints.ai_socktype = Kind.datagram.type
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0, let first = unsafe list else { return nil }
        defer { unsafe freeaddrinfo(first) }
        return unsafe numeric(first.pointee.ai_addr, first.pointee.ai_addrlen)?.host
    }

    /// Closes a socket that nobody has taken over.
    static func release(_ socket: CInt) { _ = close(socket) }

    private static func open(
        _ kind: Kind, host: String, port: UInt16,
        _ prepare: (CInt, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws(Failure) -> CInt {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = kind.type
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let first = unsafe list,
            let address = unsafe first.pointee.ai_addr
        else { throw Failure(code: EADDRNOTAVAIL) }
        defer { unsafe freeaddrinfo(first) }
        let socket = unsafe socket(
            first.pointee.ai_family, kind.type | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { throw Failure(code: errno) }
        guard unsafe prepare(socket, address, first.pointee.ai_addrlen) else {
            let failure = Failure(code: errno)
            close(socket)
            throw failure
        }
        return socket
    }

    private static func name(of socket: CInt) throws(Failure) -> (host: String, port: UInt16) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let name = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(socket, address, &length) == 0 ? numeric(address, length) : nil
            }
        }
        guard let name else { throw Failure(code: errno) }
        return name
    }

    static func numeric(
        _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) -> (host: String, port: UInt16)? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let result = unsafe getnameinfo(
            address, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
            NI_NUMERICHOST | NI_NUMERICSERV)
        guard result == 0, let port = UInt16(text(service)) else { return nil }
        return (text(host), port)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
