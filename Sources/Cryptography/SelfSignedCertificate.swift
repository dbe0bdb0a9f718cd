import Base
import COpenSSL

/// A certificate that no authority signed, and its key, both in PEM: a person compares the fingerprint.
package struct SelfSignedCertificate: Sendable {
    /// How long it is valid, in seconds: ten years. A person would have to compare the next one again.
    package static let life = 3_652 * 86_400
    /// A phone without a battery may start with an old time.
    private static let past = -86_400
    /// The longest common name (RFC 5280 appendix A.1, ub-common-name).
    private static let longestName = 64

    package let certificate: Certificate
    package let certificatePEM: [UInt8]
    /// PKCS #8, not encrypted.
    package let keyPEM: [UInt8]

    /// Makes a key on the curve P-256, and a certificate of a TLS server.
    ///
    /// Costs some tenths of a millisecond.
    /// - Parameters:
    ///   - name: For people. Longer names are cut.
    ///   - hosts: Host names. Letters, digits, dots and hyphens only.
    ///   - addresses: Numeric addresses.
    package static func make(
        name: String, hosts: [String], addresses: [IPAddress]
    ) throws(OpenSSLError) -> SelfSignedCertificate {
        OpenSSL.start
        let names = hosts.map { "DNS:\($0)" } + addresses.map { "IP:\($0.text)" }
        precondition(!names.isEmpty && hosts.allSatisfy(isPlain), "a comma would begin another name")
        let key = unsafe copenssl_make_p256_key()
        defer { unsafe EVP_PKEY_free(key) }
        guard let key = unsafe key,
            let made = unsafe certificate(
                of: key, name: String(name.prefix(longestName)), seconds: (past, life),
                extensions: [
                    (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                    (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, names.joined(separator: ",")),
                ]),
            let certificatePEM = made.pem,
            let keyPEM = unsafe written({ unsafe PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) })
        else { throw .queued() }
        return SelfSignedCertificate(certificate: made, certificatePEM: certificatePEM, keyPEM: keyPEM)
    }

    /// Signs a certificate by its own key.
    /// - Parameters:
    ///   - seconds: The begin and the end of its validity, from now.
    ///   - extensions: Their NIDs, and their values in the form of `x509v3_config(5)`.
    static func certificate(
        of key: OpaquePointer, name: String, seconds: (begin: Int, end: Int), extensions: [(Int32, String)] = []
    ) -> Certificate? {
        guard let x509 = unsafe X509_new() else { return nil }
        defer { unsafe X509_free(x509) }
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        let subject = unsafe X509_get_subject_name(x509)
        guard unsafe X509_set_version(x509, 2) == 1,
            unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), serial) == 1,
            unsafe X509_gmtime_adj(X509_getm_notBefore(x509), seconds.begin) != nil,
            unsafe X509_gmtime_adj(X509_getm_notAfter(x509), seconds.end) != nil,
            unsafe X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1,
            unsafe X509_set_issuer_name(x509, subject) == 1, unsafe X509_set_pubkey(x509, key) == 1,
            extensions.allSatisfy({ unsafe copenssl_add_extension(x509, $0.0, $0.1) == 1 }),
            unsafe X509_sign(x509, key, EVP_sha256()) > 0
        else { return nil }
        return unsafe Certificate(x509)
    }

    private static func isPlain(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-.".utf8.contains($0) }
    }

    /// What a function of OpenSSL writes; nil: it failed.
    fileprivate static func written(_ write: (OpaquePointer) -> Int32) -> [UInt8]? {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        return unsafe write(memory) == 1 ? OpenSSL.takeBytes(of: memory) : nil
    }
}

extension Certificate {
    /// The first certificate of a PEM file's text; nil: it has no certificate.
    package init?(pem: [UInt8]) {
        guard !pem.isEmpty else { return nil }
        let der = unsafe pem.withUnsafeBufferPointer { bytes -> Certificate? in
            guard let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return nil
            }
            defer { unsafe BIO_free(memory) }
            guard let x509 = unsafe PEM_read_bio_X509(memory, nil, nil, nil) else {
                ERR_clear_error()
                return nil
            }
            defer { unsafe X509_free(x509) }
            return unsafe Certificate(x509)
        }
        guard let der else { return nil }
        self = der
    }

    fileprivate var pem: [UInt8]? {
        unsafe der.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            guard let x509 = unsafe d2i_X509(nil, &next, der.count) else { return nil }
            defer { unsafe X509_free(x509) }
            return unsafe SelfSignedCertificate.written { unsafe PEM_write_bio_X509($0, x509) }
        }
    }
}
