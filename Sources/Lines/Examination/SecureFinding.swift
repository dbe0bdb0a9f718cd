/// The result of a TLS handshake with a server.
package enum SecureFinding: Equatable, Sendable {
    /// The certificate is trusted, and it has the server's name.
    case trusted
    /// The certificate is trusted, but it has only these other names.
    case otherName([String], Fingerprint)
    /// The certificate is not trusted, with the TLS library's text.
    case untrusted(String, Fingerprint)
    /// The certificate has expired, or is not valid yet, with the TLS library's text.
    case outOfDate(String, Fingerprint)
    /// The server speaks only versions of TLS before 1.2 (RFC 8996).
    case oldVersion
    /// The far end does not finish a handshake, most likely because it does not speak TLS.
    case notSecure
    /// No connection was opened.
    case unconnected
}
