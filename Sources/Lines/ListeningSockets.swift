import Glibc

/// A line's two sockets, bound to the same port: its Contact says only one.
struct ListeningSockets {
    let datagram: CInt
    let stream: CInt
    let port: UInt16

    /// How often a free port is looked for that both protocols can have.
    private static let attempts = 16

    init(host: String, port: UInt16) throws(LinesError) {
        var attempts = port == 0 ? Self.attempts : 1
        while true {
            attempts -= 1
            do throws(LinesError) {
                self = try Self.pair(host: host, port: port)
                return
            } catch {
                guard attempts > 0, case .portInUse = error else { throw error }
            }
        }
    }

    private init(datagram: CInt, stream: CInt, port: UInt16) {
        (self.datagram, self.stream, self.port) = (datagram, stream, port)
    }

    private static func pair(host: String, port: UInt16) throws(LinesError) -> ListeningSockets {
        let datagram = try bound(.datagram, .udp, host: host, port: port)
        do throws(LinesError) {
            let taken: UInt16
            do throws(SystemSocket.Failure) {
                taken = try SystemSocket.port(of: datagram)
            } catch {
                throw LinesError(error, .udp, host: host, port: port)
            }
            let stream = try bound(.stream, .tcp, host: host, port: taken)
            return ListeningSockets(datagram: datagram, stream: stream, port: taken)
        } catch {
            close(datagram)
            throw error
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
