import Base
import Cryptography
import LineCore
import Platform
import SecureTransport

/// A line's TLS contexts, as client and as server. Each is created only if it is configured or needed, so that a line
/// without TLS spends nothing on them. Confined to its loop.
final class TLSContexts {
    /// The peers that may connect to the line.
    enum Callers: Equatable {
        case anybody
        /// Only the account's server. Its certificate must hold one of these names, and is verified as on our own
        /// connections to it.
        case server(names: [String])
    }

    /// How long an unusable file is not read again, because a stranger may connect often.
    private static let pause = Duration.seconds(3)

    private let settings: TLSSettings
    private let callers: Callers
    private var client: TLSContext?
    private var server: TLSContext?
    /// Why a context could not be created, and when.
    private var failure: (error: LinesError, at: Instant)?

    /// Reads the configured files at once. An unusable file does not stop the start: it is read again when a connection
    /// needs it, and until then that connection fails.
    init(_ settings: TLSSettings, callers: Callers) {
        (self.settings, self.callers) = (settings, callers)
        do throws(LinesError) {
            if settings.authorities != nil || settings.identity != nil { client = try Self.client(settings) }
            if settings.port != nil { server = try Self.server(settings, callers) }
        } catch {
            failure = (error, MonotonicClock.now())
        }
    }

    /// Why TLS cannot be used at present. Nil: it can, as far as is known.
    var fault: LinesError? { failure?.error }

    /// - Parameter name: The server name that the handshake sends. Nil for an address, which must not be sent (RFC 6066
    ///   §3).
    func clientHandler(for name: String?) throws(LinesError) -> SecureChannelHandler {
        let context: TLSContext
        if let client { context = client } else { context = try made(Self.client(settings)) }
        client = context
        return SecureChannelHandler(context, serverName: name)
    }

    /// - Throws: If there is no certificate to show. Then nothing may be sent over the connection, which is in clear.
    func serverHandler() throws(LinesError) -> SecureChannelHandler {
        let context: TLSContext
        if let server { context = server } else { context = try made(Self.server(settings, callers)) }
        server = context
        return SecureChannelHandler(context)
    }

    private func made(
        _ make: @autoclosure () throws(LinesError) -> TLSContext
    ) throws(LinesError) -> TLSContext {
        let now = MonotonicClock.now()
        if let failure, now - failure.at < Self.pause { throw failure.error }
        do throws(LinesError) {
            let context = try make()
            failure = nil
            return context
        } catch {
            failure = (error, now)
            throw error
        }
    }

    /// Whether a trusted certificate belongs to the server that we meant to reach.
    func trusts(_ certificate: Certificate?, as names: [String]) -> Bool {
        // The handshake has already compared the fingerprint.
        guard settings.fingerprint == nil else { return true }
        guard let certificate else { return false }
        let own = CertificateNames(certificate)
        return names.contains(where: own.include)
    }

    /// Whether a peer that connected to the line may send to it. The handshake has already verified the certificate.
    func admits(_ certificate: Certificate?) -> Bool {
        switch callers {
        case .anybody: true
        case .server(let names): trusts(certificate, as: names)
        }
    }

    /// The client context of a line with these settings.
    static func client(_ settings: TLSSettings) throws(LinesError) -> TLSContext {
        try make(.client, trust(settings), settings.identity)
    }

    /// The trust against which certificates are verified. Names are compared by RFC 5922 after the handshake, not by
    /// the rules of the web.
    private static func trust(_ settings: TLSSettings) -> TLSContext.Trust {
        if let fingerprint = settings.fingerprint {
            .pinned(fingerprint.bytes)
        } else if let file = settings.authorities {
            .authorities(file: file)
        } else {
            .system
        }
    }

    private static func server(_ settings: TLSSettings, _ callers: Callers) throws(LinesError) -> TLSContext {
        guard let identity = settings.identity else {
            throw .tls("a line that listens needs a certificate and its key")
        }
        return try make(.server, callers == .anybody ? .anybody : trust(settings), identity)
    }

    private static func make(
        _ side: TLSContext.Side, _ trust: TLSContext.Trust, _ files: TLSIdentityFiles?
    ) throws(LinesError) -> TLSContext {
        do throws(TLSFileError) {
            return try TLSContext(side, trust: trust, files: files)
        } catch {
            switch error {
            case .file(let path, let why): throw .certificateFile(path, why)
            case .library(let why): throw .tls(why)
            }
        }
    }
}

/// How a line authenticates itself and its servers, on TLS 1.2 and 1.3.
public struct TLSSettings: Equatable, Sendable {
    public typealias Identity = TLSIdentityFiles

    /// PEM file of the trusted authorities. Nil: the system's.
    public var authorities: String?
    /// The certificate for servers that ask for one, and for every peer that connects to `port`.
    public var identity: Identity?
    /// SHA-256 of the one certificate that the server may show. Authorities and names do not count then.
    public var fingerprint: Fingerprint?
    /// The port on which the line listens for TLS. Nil: none. Needs an identity.
    public var port: UInt16?

    public init(
        authorities: String? = nil, identity: Identity? = nil, fingerprint: Fingerprint? = nil, port: UInt16? = nil
    ) {
        (self.authorities, self.identity, self.fingerprint, self.port) = (authorities, identity, fingerprint, port)
    }
}

/// SHA-256 of a certificate's DER form.
public struct Fingerprint: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Precondition: 32 bytes.
    init(bytes: [UInt8]) {
        precondition(bytes.count == 32, "SHA-256 has 32 bytes")
        self.bytes = bytes
    }

    /// - Parameter text: 64 hexadecimal digits, with or without colons, as `openssl x509 -fingerprint -sha256` writes
    ///   them.
    public init?(_ text: String) {
        let digits = text.filter { $0 != ":" }
        guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else { return nil }
        let values = digits.compactMap(\.hexDigitValue).map { UInt8($0) }
        bytes = stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
