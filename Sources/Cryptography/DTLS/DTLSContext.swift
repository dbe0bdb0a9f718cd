import Base
import COpenSSL

/// The settings that all handshakes of one identity share: DTLS 1.2 (RFC 6347), only for the keys of SRTP (RFC 5764).
/// Ciphers are authenticated and have forward secrecy. There is no renegotiation and no resumption.
///
/// `@unchecked Sendable`: it does not change after it is made, and OpenSSL counts references atomically.
@safe
package final class DTLSContext: @unchecked Sendable {
    /// SHA-256 of our certificate, which the far end compares.
    package let fingerprint: [UInt8]
    let pointer: OpaquePointer

    /// - Parameter profiles: The permitted profiles of SRTP, the best first. At least one.
    package init(_ identity: DTLSIdentity, profiles: [SRTPProfile] = preferred) throws(OpenSSLError) {
        precondition(!profiles.isEmpty, "there is no SRTP without a profile")
        OpenSSL.start
        guard let context = unsafe SSL_CTX_new(DTLS_method()) else { throw .queued() }
        unsafe pointer = context
        fingerprint = identity.certificate.fingerprint
        try configure(profiles)
        try show(identity)
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// Authenticated encryption first.
    package static let preferred: [SRTPProfile] = [.aes256GCM, .aes128GCM, .aes128CMHMACSHA1With80BitTag]

    /// RFC 8827 §6.5 requires the first. Media servers have RSA certificates.
    private static let ciphers =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-GCM-SHA384:"
        + "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-GCM-SHA384"

    private func configure(_ profiles: [SRTPProfile]) throws(OpenSSLError) {
        unsafe copenssl_resume_nothing(pointer)
        let names = profiles.map(\.name).joined(separator: ":")
        // Unlike the others, this function returns 0 on success.
        guard unsafe copenssl_require_dtls12(pointer) == 1, unsafe SSL_CTX_set_cipher_list(pointer, Self.ciphers) == 1,
            unsafe SSL_CTX_set_tlsext_use_srtp(pointer, names) == 0
        else { throw .queued() }
        // Both ends show a certificate (RFC 5763 §5). Its fingerprint decides, not an authority.
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        unsafe SSL_CTX_set_cert_verify_callback(
            pointer, { verification, _ in unsafe DTLSChannel.accepts(verification) ? 1 : 0 }, nil)
        unsafe SSL_CTX_set_cookie_generate_cb(pointer) { unsafe DTLSChannel.makeCookie($0, $1, $2) }
        unsafe SSL_CTX_set_cookie_verify_cb(pointer) { unsafe DTLSChannel.isOwnCookie($0, $1, $2) }
    }

    private func show(_ identity: DTLSIdentity) throws(OpenSSLError) {
        let x509 = unsafe identity.certificate.der.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            return unsafe d2i_X509(nil, &next, der.count)
        }
        defer { unsafe X509_free(x509) }
        let isTaken = unsafe identity.key.withBytes { bytes in
            var next = bytes.baseAddress
            let key = unsafe d2i_AutoPrivateKey(nil, &next, bytes.count)
            defer { unsafe EVP_PKEY_free(key) }
            return unsafe SSL_CTX_use_certificate(pointer, x509) == 1 && SSL_CTX_use_PrivateKey(pointer, key) == 1
                && SSL_CTX_check_private_key(pointer) == 1
        }
        guard isTaken else { throw .queued() }
    }
}

/// A key and a self-signed certificate. No authority vouches for the certificate: the far end compares its fingerprint
/// with the one in the call's description (RFC 5763 §5).
package struct DTLSIdentity: Sendable {
    package let certificate: Certificate
    /// The private key on the curve P-256, as PKCS #8 in DER (RFC 5958).
    package let key: SecretBytes

    /// An existing identity, as the vault keeps it. Making a context checks that certificate and key belong together.
    package init(certificate: Certificate, key: SecretBytes) { (self.certificate, self.key) = (certificate, key) }

    /// Makes a new identity. It names neither phone nor person, because every far end sees it.
    ///
    /// Costs some tenths of a millisecond.
    package static func make() throws(OpenSSLError) -> DTLSIdentity {
        OpenSSL.start
        let key = unsafe copenssl_make_p256_key()
        defer { unsafe EVP_PKEY_free(key) }
        guard let key = unsafe key,
            let certificate = unsafe SelfSignedCertificate.certificate(of: key, name: "WebRTC", seconds: validity),
            let bytes = unsafe bytes(of: key)
        else { throw .queued() }
        return DTLSIdentity(certificate: certificate, key: bytes)
    }

    /// A vault keeps an identity for as long as a phone lives; far ends do not check the times.
    private static let validity = (begin: -86_400, end: 30 * 365 * 86_400)

    private static func bytes(of key: OpaquePointer) -> SecretBytes? {
        guard let pkcs8 = unsafe EVP_PKEY2PKCS8(key) else { return nil }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(pkcs8) }
        let count = unsafe i2d_PKCS8_PRIV_KEY_INFO(pkcs8, nil)
        guard count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            _ = unsafe i2d_PKCS8_PRIV_KEY_INFO(pkcs8, &next)
        }
        return SecretBytes(taking: &bytes)
    }
}
