/// A challenge that we can answer (RFC 7616 §3.3).
public struct DigestChallenge: Hashable, Sendable {
    /// The part of the request that an answer protects (RFC 7616 §3.4).
    public enum Protection: String, Hashable, Sendable {
        case request = "auth"
        /// The request and its body.
        case body = "auth-int"
    }

    /// A value that is sent back to the server.
    struct Echo: Hashable, Sendable {
        /// The value without quotes and escapes.
        let value: String
        /// The value with the server's own quotes and escapes, because some servers compare the text and not its
        /// meaning.
        let written: String

        init?(_ name: String, of parameters: SIPParameters) {
            guard let parameter = parameters.all.first(where: { $0.name.equalsIgnoringCase(name) }),
                let written = parameter.written
            else { return nil }
            value = parameters[name] ?? ""
            self.written = written.utf8.first == .quote ? written : written.quoted
        }
    }

    public var realm: String { realmEcho.value }
    public var nonce: String { nonceEcho.value }
    public let algorithm: DigestAlgorithm
    /// `request` when it is offered; nil for a server of RFC 2069, which offers nothing.
    public let protection: Protection?
    /// Whether the nonce was too old. The server did not find the password wrong then.
    public let isStale: Bool
    /// Whether the challenge came from a proxy on the path.
    public let isProxy: Bool

    let realmEcho: Echo
    let nonceEcho: Echo
    let opaqueEcho: Echo?
    /// The algorithm as written, which is sent back; nil when it was left out.
    let algorithmName: String?

    /// Nil for another scheme, for an unknown algorithm, when every `qop` is unknown, or when realm or nonce is
    /// missing. Parameters that only HTTP has are ignored. A server that asks for a hashed user name (`userhash`) or
    /// names an encoding (`charset`) gets the plain name in UTF-8, as RFC 7616 §3.3 allows.
    public init?(_ challenge: Authentication, isProxy: Bool = false) {
        let parameters = challenge.parameters
        guard challenge.scheme.equalsIgnoringCase("Digest"),
            let realm = Echo("realm", of: parameters), let nonce = Echo("nonce", of: parameters),
            let algorithm = DigestAlgorithm(parameters.unempty("algorithm"))
        else { return nil }
        let offered = parameters.unempty("qop").map { offer in
            offer.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map { String($0).asciiLowercased }
        }
        let protection = [Protection.request, .body].first { offered?.contains($0.rawValue) ?? false }
        if offered != nil, protection == nil { return nil }
        (realmEcho, nonceEcho, self.algorithm, self.protection) = (realm, nonce, algorithm, protection)
        (opaqueEcho, algorithmName) = (Echo("opaque", of: parameters), parameters.unempty("algorithm"))
        isStale = parameters["stale"]?.equalsIgnoringCase("true") ?? false
        self.isProxy = isProxy
    }

    /// The challenges of a 401 or 407 that we can answer, in order of preference: topmost first (RFC 8760 §2.4).
    ///
    /// Each line is read separately, and so is each challenge of a line: a scheme with another grammar does not affect the
    /// others.
    /// - Throws: The fault of the first malformed line, when no challenge was read.
    public static func all(in response: SIPResponse) throws(SIPParseError) -> [DigestChallenge] {
        var challenges: [DigestChallenge] = []
        var fault: SIPParseError?
        for (name, isProxy) in [(SIPHeaderName.wwwAuthenticate, false), (.proxyAuthenticate, true)] {
            for line in response.headers.lines(name) {
                var alone = SIPHeaders()
                alone.append(name, line)
                do throws(SIPParseError) {
                    challenges += try alone.list(name, of: Authentication.self)
                        .compactMap { DigestChallenge($0, isProxy: isProxy) }
                } catch {
                    fault = fault ?? error
                }
            }
        }
        if challenges.isEmpty, let fault { throw fault }
        return challenges
    }
}

extension SIPParameters {
    /// The value. Nil without the parameter, and for an empty one, which some servers write for none.
    fileprivate func unempty(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
