import Glibc

/// A line's sockets: at each of its addresses one for datagrams and one for streams, all bound to the same port, because
/// its Contact says only one; and, where it is configured, one for TLS.
struct ListeningSockets {
    struct Pair {
        let host: String
        let datagram: CInt
        let stream: CInt
    }

    let pairs: [Pair]
    let secure: [CInt]
    let port: UInt16
    let securePort: UInt16?

    /// How often a free port is looked for that everybody can have.
    private static let attempts = 16

    init(hosts: [String], port: UInt16, securePort: UInt16?) throws(LinesError) {
        precondition(!hosts.isEmpty, "a line listens somewhere")
        var attempts = port == 0 ? Self.attempts : 1
        while true {
            attempts -= 1
            do throws(LinesError) {
                self = try Self.all(hosts, port, securePort)
                return
            } catch {
                guard attempts > 0, case .portInUse = error else { throw error }
            }
        }
    }

    private init(pairs: [Pair], secure: [CInt], port: UInt16, securePort: UInt16?) {
        (self.pairs, self.secure, self.port, self.securePort) = (pairs, secure, port, securePort)
    }

    /// All or none.
    private static func all(_ hosts: [String], _ port: UInt16, _ securePort: UInt16?) throws(LinesError) -> Self {
        var open: [CInt] = []
        do throws(LinesError) {
            func bound(
                _ kind: SystemSocket.Kind, _ name: LinesError.Transport, _ host: String, _ port: inout UInt16
            ) throws(LinesError) -> CInt {
                let socket = try Self.bound(kind, name, host: host, port: port)
                open.append(socket)
                if port == 0 { port = try Self.port(of: socket, name, host) }
                return socket
            }
            var (taken, secured) = (port, securePort ?? 0)
            var pairs: [Pair] = []
            var secure: [CInt] = []
            for host in hosts {
                let datagram = try bound(.datagram, .udp, host, &taken)
                pairs.append(Pair(host: host, datagram: datagram, stream: try bound(.stream, .tcp, host, &taken)))
                if securePort != nil { secure.append(try bound(.stream, .tls, host, &secured)) }
            }
            return Self(pairs: pairs, secure: secure, port: taken, securePort: securePort.map { _ in secured })
        } catch {
            open.forEach(SystemSocket.release)
            throw error
        }
    }

    private static func port(
        of socket: CInt, _ name: LinesError.Transport, _ host: String
    ) throws(LinesError) -> UInt16 {
        do throws(SystemSocket.Failure) {
            return try SystemSocket.port(of: socket)
        } catch {
            throw LinesError(error, name, host: host, port: 0)
        }
    }

    private static func bound(
        _ kind: SystemSocket.Kind, _ name: LinesError.Transport, host: String, port: UInt16
    ) throws(LinesError) -> CInt {
        do throws(SystemSocket.Failure) {
            return try SystemSocket.bound(kind, host: host, port: port)
        } catch {
            throw LinesError(error, name, host: host, port: port)
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
