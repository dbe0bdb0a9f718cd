import Crypto
import LineCore
import NIOCore
import NIOSSL

/// A line's two sides of TLS, made when they are first needed: reading the system's authorities takes time and memory
/// that a line without TLS need not spend. Confined to its loop.
final class TLSContexts {
    private let settings: TLSSettings
    private var client: NIOSSLContext?
    private var server: NIOSSLContext?

    /// Reads at once what is configured, so that a wrong file stops the start.
    init(_ settings: TLSSettings) throws(LinesError) {
        self.settings = settings
        if settings.authorities != nil || settings.identity != nil { client = try Self.make(try Self.client(settings)) }
        if settings.port != nil { server = try Self.make(try Self.server(settings)) }
    }

    /// - Parameter name: What the server is told to be asked for; an address is not told (RFC 6066 §3).
    func clientHandler(for name: String?) throws -> NIOSSLClientHandler {
        let context = try client ?? Self.make(try Self.client(settings))
        client = context
        guard let fingerprint = settings.fingerprint else {
            return try NIOSSLClientHandler(context: context, serverHostname: name)
        }
        return try NIOSSLClientHandler(context: context, serverHostname: name) { shown, verdict in
            let isRight = shown.first.flatMap { Fingerprint(of: $0) } == fingerprint
            verdict.succeed(isRight ? .certificateVerified : .failed)
        }
    }

    /// Nil on a line that does not listen.
    func serverHandler() -> NIOSSLServerHandler? { server.map { NIOSSLServerHandler(context: $0) } }

    /// Whether a server that was believed is the one that was meant.
    func trusts(_ certificate: NIOSSLCertificate?, as names: [String]) -> Bool {
        // The fingerprint has said it already.
        guard settings.fingerprint == nil else { return true }
        guard let certificate else { return false }
        let own = CertificateNames(certificate)
        return names.contains(where: own.include)
    }

    private static func make(_ configuration: TLSConfiguration) throws(LinesError) -> NIOSSLContext {
        do { return try NIOSSLContext(configuration: configuration) } catch { throw .tls("\(error)") }
    }

    private static func client(_ settings: TLSSettings) throws(LinesError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // Its names are compared by RFC 5922, not by the rules of the web.
        configuration.certificateVerification = .noHostnameVerification
        if let file = settings.authorities {
            configuration.trustRoots = .certificates(try certificates(file))
        }
        if let identity = settings.identity {
            configuration.certificateChain = try certificates(identity.certificateFile).map { .certificate($0) }
            configuration.privateKey = .privateKey(try PrivateKeyFile.read(identity.keyFile))
        }
        return configuration
    }

    private static func server(_ settings: TLSSettings) throws(LinesError) -> TLSConfiguration {
        guard let identity = settings.identity else {
            throw .tls("a line that listens needs a certificate and its key")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try certificates(identity.certificateFile).map { .certificate($0) },
            privateKey: .privateKey(try PrivateKeyFile.read(identity.keyFile)))
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    private static func certificates(_ file: String) throws(LinesError) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(file)
            guard !certificates.isEmpty else { throw LinesError.certificateFile(file, "there is none in it") }
            return certificates
        } catch let error as LinesError {
            throw error
        } catch {
            throw .certificateFile(file, "\(error)")
        }
    }
}

extension Fingerprint {
    package init?(of certificate: NIOSSLCertificate) {
        do { self.init(bytes: Array(SHA256.hash(data: try certificate.toDERBytes()))) } catch { return nil }
    }
}
