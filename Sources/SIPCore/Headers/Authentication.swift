/// A challenge or its answer: a scheme and its parameters (RFC 3261 §20.7, §20.44).
public struct Authentication: SIPHeaderValue {
    public var scheme: String
    public var parameters: SIPParameters

    public init(scheme: String) { (self.scheme, parameters) = (scheme, SIPParameters()) }

    /// One line may contain several challenges: a comma is followed by the next parameter, which has a `=`, or by the
    /// next scheme, which has none.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        scheme = try scanner.token()
        parameters = SIPParameters()
        scanner.skipSpace()
        guard !scanner.isAtEnd, scanner.next != UInt8(ascii: ",") else { return }
        repeat {
            scanner.skipSpace()
            let (name, value) = try scanner.genericParameter()
            guard let value else { throw scanner.error(.expected("=")) }
            parameters.append(name, written: value)
            scanner.skipSpace()
        } while scanner.skipToNextParameter()
    }

    public var text: String {
        let joined = parameters.all.map { $0.name + ($0.written.map { "=" + $0 } ?? "") }.joined(separator: ", ")
        return joined.isEmpty ? scheme : scheme + " " + joined
    }
}

extension SIPScanner {
    /// Moves to the next parameter of the same challenge. Some servers forget the comma before it, or write two.
    fileprivate mutating func skipToNextParameter() -> Bool {
        var ahead = self
        ahead.skipSpace()
        while ahead.skip(UInt8(ascii: ",")) { ahead.skipSpace() }
        let start = ahead
        let name = ahead.text { $0.isToken }
        ahead.skipSpace()
        guard !name.isEmpty, ahead.next == UInt8(ascii: "=") else { return false }
        self = start
        return true
    }
}

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
