import COpenSSL

/// TLS for one connection that a C library makes itself. The phone's context decides about trust, certificate and
/// versions. The library gets the `SSL_CTX`, and its owner asks here what the connection has shown.
@safe
package final class LibraryChannel {
    private let context: TLSContext
    private let watch: UnsafeMutablePointer<copenssl_watch>

    /// - Parameter limit: How many bytes may come until `forgetBytes()`. With more the connection is shut down.
    package init(_ context: TLSContext, limit: Int) {
        precondition(context.side == .client, "the library is a client")
        self.context = context
        unsafe watch = .allocate(capacity: 1)
        unsafe watch.initialize(to: copenssl_watch(received: 0, limit: Int64(limit), verdict: X509_V_OK))
        unsafe copenssl_set_watch(context.pointer, watch)
    }

    /// - Precondition: The library has freed its connection.
    deinit {
        unsafe watch.deallocate()
    }

    /// The `SSL_CTX`. The library counts its own reference to it.
    package var pointer: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(context.pointer) }

    /// Whether the limit was exceeded.
    package var isFlooded: Bool { unsafe watch.pointee.received > watch.pointee.limit }

    /// A whole message has arrived.
    package func forgetBytes() { unsafe watch.pointee.received = 0 }

    /// Some bytes are allowed for every interval, for messages that the library keeps for itself.
    package func forgetBytes(upTo count: Int) {
        unsafe watch.pointee.received = max(0, watch.pointee.received - Int64(count))
    }

    /// Whether the far end's certificate is not the pinned one.
    package var isOtherThanPinned: Bool { context.hasRefusedByPin }

    /// Why the far end's certificate was refused; nil: it was not, or because of the pin.
    package var refusal: String? {
        let verdict = unsafe Int(watch.pointee.verdict)
        guard verdict != Int(X509_V_OK) else { return nil }
        return unsafe String(cString: X509_verify_cert_error_string(verdict))
    }

    /// - Parameter connection: The library's `SSL`, or nil.
    /// - Returns: The far end's certificate, which the context trusts. Nil until the handshake is complete.
    package static func certificate(of connection: UnsafeMutableRawPointer?) -> Certificate? {
        guard let connection = unsafe connection else { return nil }
        let ssl = OpaquePointer(connection)
        guard unsafe SSL_is_init_finished(ssl) == 1, let shown = unsafe SSL_get1_peer_certificate(ssl) else {
            return nil
        }
        defer { unsafe X509_free(shown) }
        return unsafe Certificate(shown)
    }
}
