import Base
import COpenSSL

/// The settings that all connections of one kind share: the side of TLS, our identity, and the trust in the far end.
/// TLS 1.2 and 1.3 (RFC 5246, 8446), without renegotiation, resumption or compression.
///
/// `@unchecked Sendable`: it does not change after it is made, and OpenSSL counts references atomically. Only the mark
/// behind the pin changes, on the thread of the connections.
@safe
package final class TLSContext: @unchecked Sendable {
    package enum Side: Sendable { case client, server }

    /// The certificates of the far end that are accepted. Names are not compared here, because protocols have different
    /// rules for them.
    package enum Trust: Sendable {
        /// Any far end. A server does not ask for a certificate then.
        case anybody
        /// A certificate that one of the system's authorities vouches for.
        case system
        /// A certificate that an authority in a PEM file vouches for.
        case authorities(file: String)
        /// Only the certificate with this SHA-256, regardless of its issuer and of its expiry.
        case pinned([UInt8])
    }

    package struct Identity: Sendable {
        /// PEM: our certificate first, then the chain to an authority.
        let certificateFile: String
        /// PEM, without a passphrase.
        let key: SecretBytes
        /// Used only in errors.
        let keyFile: String

        package init(certificateFile: String, key: SecretBytes, keyFile: String) {
            (self.certificateFile, self.key, self.keyFile) = (certificateFile, key, keyFile)
        }
    }

    package enum Fault: Error, Sendable {
        case file(String, OpenSSLError)
        case library(OpenSSLError)
    }

    let side: Side
    let pointer: OpaquePointer
    let isPinning: Bool
    /// The pin, and behind it 1 once a certificate was refused because of it.
    let pin: UnsafeMutablePointer<UInt8>

    /// Reads the files. The system's authorities are looked up one by one, when a certificate names them.
    package init(_ side: Side, trust: Trust, identity: Identity? = nil) throws(Fault) {
        OpenSSL.start
        guard let context = unsafe SSL_CTX_new(side == .client ? TLS_client_method() : TLS_server_method()) else {
            throw .library(.queued())
        }
        self.side = side
        if case .pinned = trust { isPinning = true } else { isPinning = false }
        unsafe pointer = context
        unsafe pin = .allocate(capacity: Self.pinBytes + 1)
        unsafe pin.initialize(repeating: 0, count: Self.pinBytes + 1)
        try configure()
        try believe(trust)
        if let identity { try show(identity) }
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
        unsafe pin.deallocate()
    }

    private static let pinBytes = 32

    /// Whether a far end showed another certificate than the pinned one.
    var hasRefusedByPin: Bool { unsafe pin[Self.pinBytes] != 0 }

    private func configure() throws(Fault) {
        guard unsafe copenssl_raise_minimum_version(pointer, TLS1_2_VERSION) == 1 else { throw .library(.queued()) }
        unsafe copenssl_resume_nothing(pointer)
        unsafe copenssl_release_buffers(pointer)
    }

    private func believe(_ trust: Trust) throws(Fault) {
        switch trust {
        case .anybody:
            return unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
        case .system:
            guard unsafe SSL_CTX_set_default_verify_dir(pointer) == 1 else { throw .library(.queued()) }
        case .authorities(let file):
            guard unsafe SSL_CTX_load_verify_file(pointer, file) == 1 else { throw .file(file, .queued()) }
        case .pinned(let fingerprint):
            precondition(fingerprint.count == Self.pinBytes, "a pin is a SHA-256")
            unsafe pin.update(from: fingerprint, count: Self.pinBytes)
            unsafe SSL_CTX_set_cert_verify_callback(
                pointer, { unsafe TLSContext.isPinned($0, $1) ? 1 : 0 }, pin)
        }
        // A SIP server shows the same certificate as TLS client and as TLS server, but many authorities issue
        // certificates only for servers.
        guard unsafe SSL_CTX_set_purpose(pointer, X509_PURPOSE_SSL_SERVER) == 1 else { throw .library(.queued()) }
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    }

    /// Replaces OpenSSL's whole verification.
    static func isPinned(_ verification: OpaquePointer?, _ pin: UnsafeMutableRawPointer?) -> Bool {
        let shown = unsafe X509_STORE_CTX_get0_cert(verification).flatMap { unsafe Certificate($0) }
        guard let shown, let pin = unsafe pin,
            unsafe CRYPTO_memcmp(shown.fingerprint, pin, pinBytes) == 0
        else {
            unsafe pin?.storeBytes(of: 1, toByteOffset: pinBytes, as: UInt8.self)
            unsafe X509_STORE_CTX_set_error(verification, X509_V_ERR_APPLICATION_VERIFICATION)
            return false
        }
        return true
    }

    private func show(_ identity: Identity) throws(Fault) {
        guard unsafe SSL_CTX_use_certificate_chain_file(pointer, identity.certificateFile) == 1 else {
            throw .file(identity.certificateFile, .queued())
        }
        let isTaken = unsafe identity.key.withBytes { bytes in
            let source = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { unsafe BIO_free(source) }
            // OpenSSL must not ask at the terminal for the passphrase of an encrypted key.
            let key = unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in 0 }, nil)
            defer { unsafe EVP_PKEY_free(key) }
            return unsafe SSL_CTX_use_PrivateKey(pointer, key) == 1 && SSL_CTX_check_private_key(pointer) == 1
        }
        guard isTaken else { throw .file(identity.keyFile, .queued()) }
    }
}
