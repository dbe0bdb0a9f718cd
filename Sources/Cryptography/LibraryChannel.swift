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

extension TLSContext {
    /// Makes the context of a C library trust what this one trusts, for one server.
    ///
    /// The library keeps its context and connects by itself. Whatever authorities it loads do not count.
    /// - Parameters:
    ///   - foreign: The library's `SSL_CTX`, before its first connection. A context with a pin must outlive it.
    ///   - host: The server's name or numeric address. Its certificate must have it by the rules of the web (RFC 9110
    ///     §4.3.4, RFC 9525 §6): a wildcard stands for one whole label, and the common name does not count. With a pin
    ///     names do not count.
    /// - Returns: Whether it succeeded. If not, the library must not connect.
    package func govern(_ foreign: UnsafeMutableRawPointer, host: String) -> Bool {
        precondition(side == .client, "the library is a client")
        let context = OpaquePointer(foreign)
        guard unsafe copenssl_raise_minimum_version(context, TLS1_2_VERSION) == 1 else { return false }
        unsafe copenssl_resume_nothing(context)
        unsafe copenssl_release_buffers(context)
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        if isPinning {
            unsafe SSL_CTX_set_cert_verify_callback(context, { unsafe TLSContext.isPinned($0, $1) ? 1 : 0 }, pin)
            return true
        }
        let rules = unsafe SSL_CTX_get0_param(context)
        unsafe X509_VERIFY_PARAM_set_hostflags(
            rules, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        // The first function refuses what is not a numeric address.
        let isNamed =
            unsafe X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1 || X509_VERIFY_PARAM_set1_host(rules, host, 0) == 1
        ERR_clear_error()
        return unsafe isNamed && SSL_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER) == 1
            && copenssl_share_authorities(pointer, context) == 1
    }
}
