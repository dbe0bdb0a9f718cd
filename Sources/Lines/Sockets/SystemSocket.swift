// The header of c-ares includes the declarations of sockets, and the compiler then counts them as part of this module.
import Base
import CCares
import Glibc
import NIOCore
import Platform

/// System calls that NIO does not make in the way we need: to bind and fail at once, and to query a route.
package enum SystemSocket {
    package struct Failure: Error, Equatable {
        package let code: CInt

        package init(code: CInt) { self.code = code }

        var text: String { SystemError.text(code) }
        /// Whether this machine has no route to the far end or blocks the traffic. False if the far end refused it.
        var isLocal: Bool {
            [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EINVAL, EPERM, EACCES, ENODEV, ENONET].contains(code)
        }
    }

    package enum Kind {
        case datagram, stream
        /// A bound stream socket that does not listen.
        case reserve

        var type: CInt {
            switch self {
            case .datagram: CInt(SOCK_DGRAM.rawValue)
            case .stream, .reserve: CInt(SOCK_STREAM.rawValue)
            }
        }
    }

    /// A bound socket, and for a stream a listening one. The caller owns it.
    /// - Parameter host: A numeric address. A zone is ignored, because the phone's own addresses have none.
    package static func bound(_ kind: Kind, host: String, port: UInt16) throws(Failure) -> CInt {
        guard let address = IPAddress(zoned: host) else { throw Failure(code: EADDRNOTAVAIL) }
        return try bound(kind, TransportAddress(address, port))
    }

    private static func bound(_ kind: Kind, _ own: TransportAddress) throws(Failure) -> CInt {
        try unsafe open(kind, own) { socket, address, length in
            var yes: CInt = 1
            let size = socklen_t(MemoryLayout<CInt>.size)
            // A restart must not wait until the connections of the last run time out. A port with a live listener is
            // still refused.
            if kind != .datagram { unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, size) }
            if own.address.isVersion6 { unsafe setsockopt(socket, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
            mark(socket, isIPv6: own.address.isVersion6)
            guard unsafe bind(socket, address, length) == 0 else { return false }
            return kind != .stream || listen(socket, 64) == 0
        }
    }

    /// Our address from which packets to a far end leave. The kernel chooses it when a datagram socket connects, which
    /// sends nothing.
    /// - Parameter own: The only address that they may leave from. Nil: any.
    static func localAddress(from own: IPAddress?, towards remote: TransportAddress) throws(Failure) -> IPAddress {
        guard let own else {
            let socket = try unsafe open(.datagram, remote) { socket, address, length in
                unsafe connect(socket, address, length) == 0
            }
            defer { close(socket) }
            return try name(of: socket).address
        }
        let socket = try bound(.datagram, TransportAddress(own, 0))
        defer { close(socket) }
        let isConnected = unsafe remote.withSystemAddress { unsafe connect(socket, $0, $1) == 0 }
        guard isConnected else { throw Failure(code: errno) }
        return own
    }

    /// Sends one datagram at once or not at all.
    package static func send(_ bytes: [UInt8], on socket: CInt, to address: TransportAddress) throws(Failure) {
        while true {
            let sent = unsafe address.withSystemAddress { address, length in
                unsafe sendto(
                    socket, bytes, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL), address, length)
            }
            if sent >= 0 { return }
            guard errno == EINTR else { throw Failure(code: errno) }
        }
    }

    /// Another descriptor of the same socket.
    static func duplicate(_ socket: CInt) throws(Failure) -> CInt {
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Failure(code: errno) }
        return copy
    }

    /// The port that a socket is bound to.
    package static func port(of socket: CInt) throws(Failure) -> UInt16 { try name(of: socket).port }

    /// The DSCP CS3 (24), in the upper six bits. Many telephone networks use it for signalling and give it priority;
    /// RFC 4594 §4.2 recommends CS5.
    private static let signalling: CInt = 24 << 2

    private static func mark(_ socket: CInt, isIPv6: Bool) {
        var mark = signalling
        let size = socklen_t(MemoryLayout<CInt>.size)
        // Errors are ignored, because packets arrive without the mark, too. The connections that a listener accepts
        // inherit the mark.
        if isIPv6 {
            unsafe setsockopt(socket, CInt(IPPROTO_IPV6), IPV6_TCLASS, &mark, size)
        } else {
            unsafe setsockopt(socket, CInt(IPPROTO_IP), IP_TOS, &mark, size)
        }
    }

    /// How long bytes of a connection may stay unacknowledged before it ends, in milliseconds (RFC 5482). Without this
    /// limit TCP repeats them after ever longer pauses. If a path came back after 40 s, TCP would use it only 20 s
    /// later.
    private static let userTimeout: CInt = 10_000

    /// The same mark, and the user timeout, for a connection that is not open yet.
    static func options(isIPv6: Bool) -> [(ChannelOptions.Types.SocketOption, ChannelOptions.Types.SocketOption.Value)]
    {
        let option =
            isIPv6
            ? ChannelOptions.Types.SocketOption(level: .ipv6, name: .init(rawValue: IPV6_TCLASS))
            : ChannelOptions.Types.SocketOption(level: .ip, name: .init(rawValue: IP_TOS))
        let timeout = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))
        return [(option, .init(signalling)), (timeout, .init(userTimeout))]
    }

    /// Whether another connection or a listener already has the requested port.
    static func isTaken(_ code: CInt) -> Bool { code == EADDRINUSE || code == EADDRNOTAVAIL }

    /// Makes the connection send a reset when it is closed, so that the next one may begin at the same port at once.
    /// Without this the kernel remembers a closed connection for a minute (RFC 9293 §3.6.1). The reset loses nothing,
    /// because all earlier messages have been answered when the connection closes.
    static func leaveNoTrace(of channel: any Channel) {
        (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
    }

    /// Whether the interface with this own address has a carrier, that is, its cable is plugged in.
    static func isCarrying(_ own: IPAddress) -> Bool {
        guard let interfaces = try? HostInterface.listed() else { return true }
        // An address on no interface counts as usable, because a route leads it to this machine.
        return interfaces.first { $0.address == own }?.isRunning ?? true
    }

    /// The first numeric address of a name, of one family or of any, from all sources of the system's resolver. It
    /// blocks, so never call it on the loop.
    static func resolve(_ host: String, family: CInt) -> String? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = family
        unsafe hints.ai_socktype = Kind.datagram.type
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0, let first = unsafe list else { return nil }
        defer { unsafe freeaddrinfo(first) }
        return unsafe TransportAddress(first.pointee.ai_addr)?.address.text
    }

    /// Closes a socket that nothing else owns.
    static func release(_ socket: CInt) { _ = close(socket) }

    private static func open(
        _ kind: Kind, _ address: TransportAddress, _ prepare: (CInt, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws(Failure) -> CInt {
        let family = address.address.isVersion6 ? AF_INET6 : AF_INET
        let socket = socket(family, kind.type | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { throw Failure(code: errno) }
        guard unsafe address.withSystemAddress({ unsafe prepare(socket, $0, $1) }) else {
            let failure = Failure(code: errno)
            close(socket)
            throw failure
        }
        return socket
    }

    private static func name(of socket: CInt) throws(Failure) -> TransportAddress {
        guard let name = TransportAddress(boundBy: socket) else { throw Failure(code: errno) }
        return name
    }
}
