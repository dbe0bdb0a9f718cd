/// What a TLS handshake with a server shows.
package enum SecureFinding: Equatable, Sendable {
    /// The certificate is trusted, and it is the server's.
    case trusted
    /// The certificate is trusted, but it names others: these.
    case otherName([String], Fingerprint)
    /// The certificate is not trusted; the text is the TLS library's.
    case untrusted(String, Fingerprint)
    /// The certificate is not trusted because it has expired, or is not valid yet; the text is the TLS library's.
    case outOfDate(String, Fingerprint)
    /// The server speaks only versions of TLS before 1.2 (RFC 8996).
    case oldVersion
    /// What answers there does not finish a handshake: mostly because it does not speak TLS.
    case notSecure
    /// No connection was opened.
    case unconnected
}
