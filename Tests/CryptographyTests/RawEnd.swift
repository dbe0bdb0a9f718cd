import COpenSSL
import Cryptography

/// One end by OpenSSL's own functions, which trusts every certificate and breaks the rules on request.
final class RawEnd {
    private let context: OpaquePointer?
    private let ssl: OpaquePointer?
    private let (incoming, outgoing) = (BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))

    /// A client of TLS.
    convenience init(atMost version: Int32 = TLS1_3_VERSION) {
        self.init(SSL_CTX_new(TLS_client_method()), atMost: version, isClient: true) { _ in }
    }

    /// A server of TLS.
    convenience init(certificateFile: String, keyFile: String, atMost version: Int32) {
        self.init(SSL_CTX_new(TLS_server_method()), atMost: version, isClient: false) { context in
            SSL_CTX_use_certificate_chain_file(context, certificateFile)
            SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM)
        }
    }

    /// A client of DTLS for the keys of SRTP.
    convenience init(_ identity: DTLSIdentity) {
        self.init(SSL_CTX_new(DTLS_method()), atMost: DTLS1_2_VERSION, isClient: true) { context in
            SSL_CTX_set_tlsext_use_srtp(context, "SRTP_AEAD_AES_256_GCM")
            identity.certificate.der.withUnsafeBufferPointer { der in
                var next = der.baseAddress
                let certificate = d2i_X509(nil, &next, der.count)
                SSL_CTX_use_certificate(context, certificate)
                X509_free(certificate)
            }
            identity.key.withBytes { bytes in
                var next = bytes.baseAddress
                let key = d2i_AutoPrivateKey(nil, &next, bytes.count)
                SSL_CTX_use_PrivateKey(context, key)
                EVP_PKEY_free(key)
            }
        }
        copenssl_set_mtu(ssl, DTLSChannel.datagramLimit)
    }

    private init(
        _ context: OpaquePointer?, atMost version: Int32, isClient: Bool, _ prepare: (OpaquePointer?) -> Void
    ) {
        self.context = context
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
        prepare(context)
        ssl = SSL_new(context)
        SSL_set_bio(ssl, incoming, outgoing)
        if isClient { SSL_set_connect_state(ssl) } else { SSL_set_accept_state(ssl) }
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    /// Continues the handshake; nil if there is no output.
    @discardableResult
    func take(_ records: [UInt8]) -> [UInt8]? {
        if !records.isEmpty { BIO_write(incoming, records, Int32(records.count)) }
        SSL_do_handshake(ssl)
        let said = spoken()
        return said.isEmpty ? nil : said
    }

    /// TLS 1.3 (RFC 8446 §4.6.3).
    func changeKeys() -> [UInt8] {
        SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED)
        SSL_do_handshake(ssl)
        return spoken()
    }

    /// Starts another handshake, or requests it, on the existing connection (RFC 5246 §7.4.1.1).
    func renegotiate() -> [UInt8] {
        SSL_renegotiate(ssl)
        SSL_do_handshake(ssl)
        return spoken()
    }

    func say(_ text: String) -> [UInt8] {
        SSL_write(ssl, text, Int32(text.utf8.count))
        return spoken()
    }

    private func spoken() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(outgoing))
        if !bytes.isEmpty { BIO_read(outgoing, &bytes, Int32(bytes.count)) }
        return bytes
    }
}
