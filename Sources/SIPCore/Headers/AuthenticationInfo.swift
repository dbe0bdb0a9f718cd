/// A server's header after it accepted an answer (RFC 7616 §3.5): the next nonce, and a proof that it knows the
/// password.
public struct AuthenticationInfo: SIPHeaderValue {
    public var parameters = SIPParameters()

    public init() {}

    /// The whole value is one element: its commas separate parameters.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        repeat {
            scanner.skipSpace()
            let (name, value) = try scanner.genericParameter()
            guard let value else { throw scanner.error(.expected("=")) }
            parameters.append(name, written: value)
            scanner.skipSpace()
        } while scanner.skip(UInt8(ascii: ","))
    }

    /// The nonce to use from now on instead of the one that was answered.
    public var nextNonce: String? { parameters["nextnonce"] }
    /// The server's proof, in hexadecimal. Only a holder of the password can compute it.
    public var responseDigest: String? { parameters["rspauth"] }
    /// `auth` or `auth-int`, in lower case.
    public var protection: String? { parameters["qop"]?.asciiLowercased }
    /// Our client nonce, which the server repeats.
    public var clientNonce: String? { parameters["cnonce"] }
    /// Our nonce count, which the server repeats: eight hexadecimal digits.
    public var count: String? { parameters["nc"] }

    public var text: String {
        parameters.all.map { $0.name + ($0.written.map { "=" + $0 } ?? "") }.joined(separator: ", ")
    }
}

extension SIPHeaders {
    public var authenticationInfo: AuthenticationInfo? {
        get throws(SIPParseError) { try single(.authenticationInfo) }
    }
    public var proxyAuthenticationInfo: AuthenticationInfo? {
        get throws(SIPParseError) { try single(.proxyAuthenticationInfo) }
    }
}
