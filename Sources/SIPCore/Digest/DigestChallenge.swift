/// A challenge that we can answer (RFC 7616 §3.3).
public struct DigestChallenge: Hashable, Sendable {
    /// What an answer protects (RFC 7616 §3.4).
    public enum Protection: String, Hashable, Sendable {
        case request = "auth"
        /// And its body.
        case body = "auth-int"
    }

    /// A value that goes back to the server.
    struct Echo: Hashable, Sendable {
        /// Without quotes and escapes.
        let value: String
        /// Quotes and escapes of the server's own choosing, for servers that compare letters instead of meanings.
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
    /// The nonce was too old; the password was not found wrong.
    public let isStale: Bool
    /// It came from a proxy on the way.
    public let isProxy: Bool

    let realmEcho: Echo
    let nonceEcho: Echo
    let opaqueEcho: Echo?
    /// As it was written, to be given back; nil when it was left out.
    let algorithmName: String?

    /// Nil for another scheme, an unknown algorithm, qualities of protection that are all unknown, or without realm and
    /// nonce. What HTTP's digest has and SIP's has not is passed over: who asks for a hashed name (`userhash`) or says in
    /// which letters names are written (`charset`) gets the plain name in UTF-8 (RFC 7616 §3.3 leaves that to us).
    public init?(_ challenge: Authentication, isProxy: Bool = false) {
        let parameters = challenge.parameters
        guard challenge.scheme.equalsIgnoringCase("Digest"),
            let realm = Echo("realm", of: parameters), let nonce = Echo("nonce", of: parameters),
            let algorithm = DigestAlgorithm(parameters["algorithm"])
        else { return nil }
        let offered = parameters["qop"].map { offer in
            offer.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map { String($0).asciiLowercased }
        }
        let protection = [Protection.request, .body].first { offered?.contains($0.rawValue) ?? false }
        if offered != nil, protection == nil { return nil }
        (realmEcho, nonceEcho, self.algorithm, self.protection) = (realm, nonce, algorithm, protection)
        (opaqueEcho, algorithmName) = (Echo("opaque", of: parameters), parameters["algorithm"])
        isStale = parameters["stale"]?.equalsIgnoringCase("true") ?? false
        self.isProxy = isProxy
    }

    /// The challenges of a 401 or 407 that we can answer, as they are to be looked at: topmost first (RFC 8760 §2.4).
    ///
    /// Each line is read by itself: one of a scheme whose grammar is another does not spoil the next.
    /// - Throws: The first line's fault, when there is nothing else.
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
