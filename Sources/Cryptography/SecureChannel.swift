import COpenSSL

/// One end of TLS without a transport: records go in and come out as bytes, by OpenSSL's memory BIOs. It has no timers
/// and never waits. Its owner transfers the records and limits the time of a handshake.
@safe
package struct SecureChannel: ~Copyable {
    package enum Event: Equatable, Sendable {
        /// The handshake is complete. The value is the far end's certificate, which the context's trust accepts.
        case established(Certificate?)
        case received([UInt8])
        /// The far end announced that it will send nothing more (RFC 8446 §6.1).
        case closed
        /// The connection failed, or the handshake did.
        case failed(OpenSSLError)
    }

    private enum State { case handshaking, established, ended }

    /// Kept here because it owns the pin that certificates are compared with.
    private let context: TLSContext
    private let ssl: OpaquePointer
    /// The records from the far end, and those for it. The SSL object owns both BIOs.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private var state = State.handshaking
    /// Bytes that have come since the last message.
    private var idleBytes = 0

    /// - Parameter serverName: The host name that the client sends to the server (RFC 6066 §3); never an address. A
    ///   name that is too long is not sent.
    package init(_ context: TLSContext, serverName: String? = nil) {
        guard let ssl = unsafe SSL_new(context.pointer), let incoming = unsafe BIO_new(BIO_s_mem()),
            let outgoing = unsafe BIO_new(BIO_s_mem())
        else { preconditionFailure("no memory for a connection") }
        unsafe SSL_set_bio(ssl, incoming, outgoing)
        unsafe (self.context, self.ssl, self.incoming, self.outgoing) = (context, ssl, incoming, outgoing)
        switch context.side {
        case .client: unsafe SSL_set_connect_state(ssl)
        case .server: unsafe SSL_set_accept_state(ssl)
        }
        if let serverName { _ = unsafe copenssl_set_server_name(ssl, serverName) }
    }

    deinit { unsafe SSL_free(ssl) }

    package var isHandshaking: Bool { state == .handshaking }
    /// Whether messages can be sent.
    package var isEstablished: Bool { state == .established }

    /// Starts the handshake on a client; a server waits. `takeRecords()` then returns the records to send.
    package mutating func start() -> [Event] { proceed() }

    /// Handles bytes from the far end, which may be cut at any point.
    package mutating func receive(_ records: UnsafeRawBufferPointer) -> [Event] {
        guard state != .ended, let count = Int32(exactly: records.count), count > 0 else { return [] }
        let taken = unsafe BIO_write(incoming, records.baseAddress, count)
        precondition(taken == count, "a memory BIO takes everything while there is memory")
        idleBytes += records.count
        return proceed()
    }

    /// Encrypts a message; `takeRecords()` then returns its records. False if the channel is not established, or has
    /// failed now.
    package mutating func send(_ message: UnsafeRawBufferPointer) -> Bool {
        guard state == .established, let count = Int32(exactly: message.count) else { return false }
        guard count > 0 else { return true }
        ERR_clear_error()
        // The whole message is written, because a memory BIO is never full. OpenSSL refuses while it has only a part of
        // one of the far end's handshake messages.
        guard unsafe SSL_write(ssl, message.baseAddress, count) == count else {
            state = .ended
            return false
        }
        return true
    }

    /// Announces to the far end that nothing more will come. Input is ignored from now on.
    package mutating func close() {
        if state == .established { _ = unsafe SSL_shutdown(ssl) }
        state = .ended
        ERR_clear_error()
    }

    /// The records to send to the far end; each is returned once.
    package mutating func takeRecords() -> [UInt8] { unsafe OpenSSL.takeBytes(of: outgoing) }

    // MARK: Received records

    private mutating func proceed() -> [Event] {
        var events: [Event] = []
        // OpenSSL reads errors from the thread's queue, so older errors must be removed first.
        ERR_clear_error()
        if state == .handshaking { shakeHands(&events) }
        if state == .established { read(&events) }
        return events
    }

    private mutating func shakeHands(_ events: inout [Event]) {
        let result = unsafe SSL_do_handshake(ssl)
        guard result != 1 else {
            state = .established
            return events.append(.established(peerCertificate))
        }
        let error = unsafe SSL_get_error(ssl, result)
        guard error != SSL_ERROR_WANT_READ else { return }
        state = .ended
        events.append(.failed(handshakeError()))
    }

    /// The error of the handshake, with the reason if a certificate was refused.
    private func handshakeError() -> OpenSSLError {
        let error = OpenSSLError.queued()
        let verdict = unsafe SSL_get_verify_result(ssl)
        guard verdict != Int(X509_V_OK) else { return error }
        let reason = unsafe String(cString: X509_verify_cert_error_string(verdict))
        return OpenSSLError(
            "\(error.description): \(reason)",
            isOutOfDate: [X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID].contains { Int($0) == verdict })
    }

    /// Reports all received bytes in one piece: a record may carry a single byte.
    private mutating func read(_ events: inout [Event]) {
        var (message, last) = ([UInt8](), Int32(0))
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.recordBytes, alignment: 1) { [ssl] buffer in
            while true {
                last = unsafe SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
                guard last > 0 else { return }
                unsafe message.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<Int(last)]))
            }
        }
        let error = unsafe SSL_get_error(ssl, last)
        if !message.isEmpty {
            idleBytes = 0
            events.append(.received(message))
        }
        switch error {
        case SSL_ERROR_WANT_READ where idleBytes <= Self.idleBytesMaximum: return
        case SSL_ERROR_WANT_READ:
            close()
            events.append(.failed(OpenSSLError("the far end sends records without data")))
        case SSL_ERROR_ZERO_RETURN:
            // The far end waits for our close_notify (RFC 5246 §7.2.1).
            close()
            events.append(.closed)
        default:
            state = .ended
            events.append(.failed(.queued()))
        }
    }

    /// The most bytes that the peer may send without data. They hold some thousand key updates, each of which costs us
    /// more to answer than it costs the peer to send (RFC 8446 §4.6.3).
    private static let idleBytesMaximum = 65_536

    /// The most bytes that one record carries (RFC 8446 §5.1).
    private static let recordBytes = 16_384

    private var peerCertificate: Certificate? {
        guard let x509 = unsafe SSL_get1_peer_certificate(ssl) else { return nil }
        defer { unsafe X509_free(x509) }
        return unsafe Certificate(x509)
    }
}
