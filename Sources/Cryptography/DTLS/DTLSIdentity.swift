import Base
import COpenSSL

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
        let x509 = unsafe X509_new()
        defer {
            unsafe EVP_PKEY_free(key)
            unsafe X509_free(x509)
        }
        guard let key = unsafe key, let x509 = unsafe x509, unsafe sign(x509, by: key),
            let certificate = unsafe Certificate(x509), let bytes = unsafe bytes(of: key)
        else { throw .queued() }
        return DTLSIdentity(certificate: certificate, key: bytes)
    }

    /// A vault keeps an identity for as long as a phone lives; far ends do not check the times.
    private static let (secondsBefore, secondsAfter) = (-86_400, 30 * 365 * 86_400)

    private static func sign(_ x509: OpaquePointer, by key: OpaquePointer) -> Bool {
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        let name = unsafe X509_get_subject_name(x509)
        return unsafe X509_set_version(x509, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), serial) == 1
            && X509_gmtime_adj(X509_getm_notBefore(x509), secondsBefore) != nil
            && X509_gmtime_adj(X509_getm_notAfter(x509), secondsAfter) != nil
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "WebRTC", -1, -1, 0) == 1
            && X509_set_issuer_name(x509, name) == 1 && X509_set_pubkey(x509, key) == 1
            && X509_sign(x509, key, EVP_sha256()) > 0
    }

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
