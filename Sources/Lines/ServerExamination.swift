import Base
import Cryptography
import Glibc
import LineCore
import NIOCore
import NIOPosix
import Platform
import SecureTransport

/// Examines a server without registering there, to explain to a person why a registration failed. Every method blocks
/// for some seconds at most, so none may be called on an event loop.
package struct ServerExamination: Sendable {
    private static let connectTime: TimeAmount = .seconds(3)
    private static let handshakeTime: TimeAmount = .seconds(4)
    /// How many of a name's addresses are tried. There is a limit because each of them may be silent.
    private static let addressLimit = 4

    private let loop: any EventLoop
    private let nameServers: [String]

    /// - Parameter nameServers: As in `LineSettings`.
    package init(loop: any EventLoop, nameServers: [String]) {
        (self.loop, self.nameServers) = (loop, nameServers)
    }

    /// Looks up the addresses of a name. A numeric address is its own result.
    package func lookUp(_ host: String) -> DNSFinding {
        guard IPAddress(host) == nil else { return .found([host]) }
        let reply = DNSClient(servers: nameServers, family: AF_UNSPEC).ask(.addresses(host))
        switch reply.answer {
        case .addresses(let addresses) where !addresses.isEmpty: return .found(addresses)
        // Only an answer from DNS has a time for which it may be used again.
        case .addresses, .naptr, .srv, .nothing: return reply.timeToLive > 0 ? .unknown : .silence
        }
    }

    /// Tries a name's addresses in their order, as a line does, until one accepts a connection.
    /// - Returns: That address, or else the first one with the most informative finding. Nil without an address.
    package func connect(
        toAnyOf addresses: [String], port: UInt16
    ) -> (address: String, finding: ConnectionFinding)? {
        var best: (address: String, finding: ConnectionFinding)?
        for address in addresses.prefix(Self.addressLimit) where best?.finding != .open {
            let finding = connect(to: address, port: port)
            if finding.weight > best?.finding.weight ?? -1 { best = (address, finding) }
        }
        return best
    }

    package func connect(to address: String, port: UInt16) -> ConnectionFinding {
        do {
            let channel = try ClientBootstrap(group: loop).connectTimeout(Self.connectTime)
                .connect(host: address, port: Int(port)).wait()
            channel.close(promise: nil)
            return .open
        } catch {
            return Self.finding(error)
        }
    }

    /// Performs the handshake of a line that has these settings.
    /// - Parameter names: The certificate must hold one of them.
    package func secure(
        at address: String, port: UInt16, for names: [String], _ settings: TLSSettings
    ) throws(LinesError) -> SecureFinding {
        let asked = names.first { IPAddress($0) == nil }
        switch shakeHands(address, port, try TLSContexts.client(settings), asked) {
        case .success(let certificate):
            guard settings.fingerprint == nil, let certificate else { return .trusted }
            let own = CertificateNames(certificate)
            guard !names.contains(where: own.include) else { return .trusted }
            return .otherName(own.domains + own.addresses.map { "\($0)" }, Fingerprint(certificate))
        case .failure(let error):
            guard connect(to: address, port: port) == .open else { return .unconnected }
            return try distrusted(address, port, asked, because: error)
        }
    }

    /// Repeats the handshake without any verification, to distinguish a server without TLS from one whose certificate
    /// is rejected.
    private func distrusted(
        _ address: String, _ port: UInt16, _ name: String?, because why: any Error
    ) throws(LinesError) -> SecureFinding {
        guard (why as? OpenSSLError)?.isOldVersion != true else { return .oldVersion }
        let context: TLSContext
        do throws(TLSContext.Fault) {
            context = try TLSContext(.client, trust: .anybody)
        } catch {
            throw .tls("\(error)")
        }
        guard case .success(let certificate?) = shakeHands(address, port, context, name) else { return .notSecure }
        guard (why as? OpenSSLError)?.isOutOfDate == true else {
            return .untrusted("\(why)", Fingerprint(certificate))
        }
        return .outOfDate("\(why)", Fingerprint(certificate))
    }

    private func shakeHands(
        _ address: String, _ port: UInt16, _ context: TLSContext, _ name: String?
    ) -> Result<Certificate?, any Error> {
        let ended = loop.makePromise(of: Certificate?.self)
        let alarm = loop.scheduleTask(in: Self.handshakeTime) { ended.fail(ChannelError.eof) }
        let channel = ClientBootstrap(group: loop).connectTimeout(Self.connectTime)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(SecureChannelHandler(context, serverName: name))
                    try pipeline.addHandler(HandshakeWatch(ended))
                }
            }
            .connect(host: address, port: Int(port))
        channel.cascadeFailure(to: ended)
        let result = Result { try ended.futureResult.wait() }
        alarm.cancel()
        channel.whenSuccess { $0.close(promise: nil) }
        return result
    }

    private static func finding(_ error: any Error) -> ConnectionFinding {
        switch error {
        case ChannelError.connectTimeout: return .silence
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first?.error else { return .unreachable("\(error)") }
            return finding(first)
        case let error as IOError where error.errnoCode == ECONNREFUSED: return .refused
        case let error as IOError: return .unreachable(SystemError.text(error.errnoCode))
        default: return .unreachable("\(error)")
        }
    }
}

/// The result of a DNS query for a server's name.
package enum DNSFinding: Equatable, Sendable {
    /// Numeric addresses, in the order in which they are to be tried.
    case found([String])
    /// DNS answers that the name does not exist, or that it has no address.
    case unknown
    /// No name server answers.
    case silence
}

/// What happens when a TCP connection to a server is opened.
package enum ConnectionFinding: Equatable, Sendable {
    case open
    /// The server's machine answers, but nothing listens at the port.
    case refused
    /// Nothing answers in time.
    case silence
    /// This machine cannot reach the server; with the system's text.
    case unreachable(String)

    /// How much it shows about the server. A greater weight shows more.
    var weight: Int {
        switch self {
        case .open: 3
        case .refused: 2
        case .silence: 1
        case .unreachable: 0
        }
    }
}

/// The result of a TLS handshake with a server.
package enum SecureFinding: Equatable, Sendable {
    /// The certificate is trusted, and it has the server's name.
    case trusted
    /// The certificate is trusted, but it has only these other names.
    case otherName([String], Fingerprint)
    /// The certificate is not trusted, with the TLS library's text.
    case untrusted(String, Fingerprint)
    /// The certificate has expired, or is not valid yet, with the TLS library's text.
    case outOfDate(String, Fingerprint)
    /// The server speaks only versions of TLS before 1.2 (RFC 8996).
    case oldVersion
    /// The far end does not finish a handshake, most likely because it does not speak TLS.
    case notSecure
    /// No connection was opened.
    case unconnected
}

/// Reports the end of one handshake by a promise: the far end's certificate, or the error.
final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let ended: EventLoopPromise<Certificate?>

    init(_ ended: EventLoopPromise<Certificate?>) { self.ended = ended }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let secured = event as? SecureChannelHandler.Secured { ended.succeed(secured.certificate) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { ended.fail(error) }

    func channelInactive(context: ChannelHandlerContext) { ended.fail(ChannelError.eof) }
}

extension Fingerprint {
    /// The fingerprint of a certificate that a far end showed.
    init(_ certificate: Certificate) { self.init(bytes: certificate.fingerprint) }

    /// The fingerprint as a configuration and `openssl x509 -fingerprint -sha256` write it.
    package var text: String {
        bytes.map { $0 < 16 ? "0" + String($0, radix: 16, uppercase: true) : String($0, radix: 16, uppercase: true) }
            .joined(separator: ":")
    }
}
