import Glibc
import LineCore
import SIPCore

/// A line's sockets at each of its addresses. Those for UDP and TCP share a port, because the line's Contact names only
/// one. A socket for TLS has its own port, if one is configured.
struct ListeningSockets {
    /// The kinds of sockets. A line opens only those that it needs, because others could send to a needless one.
    enum Kind: Equatable {
        case datagrams
        case streams
        /// Bound but not listening. Peers cannot connect to it, other programs cannot take its port, and the line's own
        /// connections begin at this port.
        case reserve
        case secure(port: UInt16)

        fileprivate var system: SystemSocket.Kind {
            switch self {
            case .datagrams: .datagram
            case .streams, .secure: .stream
            case .reserve: .reserve
            }
        }

        fileprivate var transport: LinesError.Transport {
            switch self {
            case .datagrams: .udp
            case .streams, .reserve: .tcp
            case .secure: .tls
            }
        }
    }

    struct Socket {
        let host: String
        let kind: Kind
        let descriptor: CInt
    }

    let all: [Socket]
    let port: UInt16
    let securePort: UInt16?

    /// The number of attempts to find a free port for all sockets of the line.
    private static let attempts = 16

    init(hosts: [String], port: UInt16, _ kinds: [Kind]) throws(LinesError) {
        precondition(!hosts.isEmpty, "a line needs an address to listen at")
        var attempts = port == 0 ? Self.attempts : 1
        while true {
            attempts -= 1
            do throws(LinesError) {
                self = try Self.all(hosts, port, kinds)
                return
            } catch {
                guard attempts > 0, case .portInUse = error else { throw error }
            }
        }
    }

    private init(_ all: [Socket], port: UInt16, securePort: UInt16?) {
        (self.all, self.port, self.securePort) = (all, port, securePort)
    }

    /// Opens all sockets or none.
    private static func all(_ hosts: [String], _ port: UInt16, _ kinds: [Kind]) throws(LinesError) -> Self {
        var open: [Socket] = []
        do throws(LinesError) {
            var (taken, secured) = (port, UInt16?.none)
            for host in hosts {
                for kind in kinds {
                    var wanted = taken
                    if case .secure(let port) = kind { wanted = secured ?? port }
                    let descriptor = try bound(kind, host: host, port: wanted)
                    open.append(Socket(host: host, kind: kind, descriptor: descriptor))
                    if wanted == 0 { wanted = try Self.port(of: descriptor, kind, host) }
                    if case .secure = kind { secured = wanted } else { taken = wanted }
                }
            }
            return Self(open, port: taken, securePort: secured)
        } catch {
            for socket in open { SystemSocket.release(socket.descriptor) }
            throw error
        }
    }

    private static func port(of socket: CInt, _ kind: Kind, _ host: String) throws(LinesError) -> UInt16 {
        do throws(SystemSocket.Failure) {
            return try SystemSocket.port(of: socket)
        } catch {
            throw LinesError(error, kind.transport, host: host, port: 0)
        }
    }

    private static func bound(_ kind: Kind, host: String, port: UInt16) throws(LinesError) -> CInt {
        do throws(SystemSocket.Failure) {
            return try SystemSocket.bound(kind.system, host: host, port: port)
        } catch {
            throw LinesError(error, kind.transport, host: host, port: port)
        }
    }
}

extension LineSettings {
    /// The sockets that a line needs.
    ///
    /// An account over UDP receives from its server over UDP. An account over a stream that registers receives over the
    /// connections that it opens itself. If it does not register, its server connects to the line, at an address that a
    /// person configured at the server. If DNS chooses an account's transport, the transport is not known yet, so only
    /// the port is reserved. An account over a WebSocket opens its own connections and no sockets.
    ///
    /// A line without an account receives from any peer, so it listens on UDP and TCP (RFC 3261 §18.1.1 requires both).
    var sockets: [ListeningSockets.Kind] {
        let secure = tls.port.map { [ListeningSockets.Kind.secure(port: $0)] }
        guard let account = configuration.account else { return [.datagrams, .streams] + (secure ?? []) }
        return switch (account.server.namedTransport, account.registers) {
        case (.udp, _): [.datagrams]
        case (.tcp, false): [.streams]
        case (.tls, false): secure ?? [.reserve]
        case (.ws, _), (.wss, _): []
        case (.tcp, true), (.tls, true), (nil, _): [.reserve]
        }
    }
}

extension LinesError {
    fileprivate init(_ failure: SystemSocket.Failure, _ name: Transport, host: String, port: UInt16) {
        switch failure.code {
        case EADDRINUSE: self = .portInUse(name, host: host, port: Int(port))
        case EADDRNOTAVAIL: self = .addressNotAvailable(name, host: host, port: Int(port))
        case EACCES, EPERM: self = .notPermitted(name, host: host, port: Int(port))
        default: self = .cannotListen(name, host: host, port: Int(port), failure.text)
        }
    }
}
