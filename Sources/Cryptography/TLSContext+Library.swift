import COpenSSL

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
