import COpenSSL

/// An X.509 certificate in its DER form (RFC 5280).
package struct Certificate: Equatable, Sendable {
    /// A name in the extension `subjectAltName` (RFC 5280 §4.2.1.6).
    package enum Name: Equatable, Sendable {
        case dns(String)
        case uri(String)
        /// 4 or 16 bytes, if the certificate was issued correctly.
        case address([UInt8])
    }

    package let der: [UInt8]

    /// Bytes that are not a certificate give no names.
    package init(der: [UInt8]) { self.der = der }

    /// - Parameter x509: The caller keeps its ownership.
    init?(_ x509: OpaquePointer) {
        let count = unsafe i2d_X509(x509, nil)
        guard count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            _ = unsafe i2d_X509(x509, &next)
        }
        der = bytes
    }

    /// SHA-256 of the DER form (RFC 8122 §5), 32 bytes.
    package var fingerprint: [UInt8] { Digest.sha256(der) }

    /// Its host names, URIs and addresses; names of other kinds are left out.
    package var subjectAlternativeNames: [Name] {
        unsafe der.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            guard let x509 = unsafe d2i_X509(nil, &next, der.count) else {
                ERR_clear_error()
                return []
            }
            defer { unsafe X509_free(x509) }
            guard let names = unsafe X509_get_ext_d2i(x509, NID_subject_alt_name, nil, nil) else { return [] }
            let stack = OpaquePointer(names)
            defer { unsafe GENERAL_NAMES_free(stack) }
            let count = unsafe copenssl_name_count(stack)
            return (0..<count).compactMap { place in
                unsafe copenssl_name(stack, place).flatMap { unsafe Self.name($0.pointee) }
            }
        }
    }

    private static func name(_ name: GENERAL_NAME) -> Name? {
        switch unsafe name.type {
        case GEN_DNS: unsafe .dns(String(decoding: bytes(name.d.dNSName), as: UTF8.self))
        case GEN_URI: unsafe .uri(String(decoding: bytes(name.d.uniformResourceIdentifier), as: UTF8.self))
        case GEN_IPADD: unsafe .address(bytes(name.d.iPAddress))
        default: nil
        }
    }

    private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        guard let string = unsafe string, let start = unsafe ASN1_STRING_get0_data(string) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
    }
}
