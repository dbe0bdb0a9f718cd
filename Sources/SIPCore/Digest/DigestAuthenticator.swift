/// Answers the challenges of an account's own server (RFC 3261 §22, RFC 7616, RFC 8760).
///
/// Pass it each 401 and 407 from that server, and from no other source, because an answer helps an attacker to guess
/// the password. Then send the request again, authorised and with a new CSeq. Later requests may be authorised at once.
public struct DigestAuthenticator: Sendable {
    public enum Refusal: Error, Equatable, Sendable {
        /// There is no challenge, or none of a kind and realm that we support.
        case unsupported
        /// Every challenge asks for a weaker proof than its realm has asked for before.
        case weaker
        /// Our answer was not accepted: the password is wrong, or the server calls one fresh nonce after another stale.
        case rejected
        case malformed(SIPParseError)
    }

    /// A challenge that we answer until a newer one replaces it.
    struct Session: Equatable, Sendable {
        let challenge: DigestChallenge
        let clientNonce: String
        /// The nonce to send: the challenge's, or the next one that the server gave.
        var nonce: DigestChallenge.Echo
        /// How often this nonce was used.
        var uses: UInt32 = 0
        /// Whether the server accepted one of our answers and gave the next nonce itself.
        var isTrusted = false
        /// Whether the challenge replaced one whose fresh nonce the server called stale.
        let followsStale: Bool

        func isAbout(_ other: DigestChallenge) -> Bool {
            challenge.isProxy == other.isProxy && challenge.realm == other.realm
        }
    }

    /// The greatest number of realms that are kept. It is more than a route has proxies.
    private static let sessionLimit = 8

    let credentials: DigestCredentials
    let hashes: DigestHashes
    var sessions: [Session] = []

    public init(_ credentials: DigestCredentials, hashes: DigestHashes) {
        (self.credentials, self.hashes) = (credentials, hashes)
    }

    /// Reads the challenges of a 401 or 407. In each realm, the topmost one that we can answer counts (RFC 8760 §2.4).
    /// - Parameters:
    ///   - request: The challenged request, as it was sent.
    ///   - realm: The only realm to answer; nil for all.
    ///   - strength: The least strength that is accepted; nil for any.
    ///   - clientNonce: A new one from `SIPIdentifiers.makeClientNonce`.
    /// - Returns: The strength of the weakest challenge that was accepted.
    @discardableResult
    public mutating func accept(
        _ response: SIPResponse, to request: SIPRequest, in realm: String? = nil,
        atLeast strength: DigestStrength? = nil, clientNonce: String
    ) throws(Refusal) -> DigestStrength {
        var accepted: [Session] = []
        let named = try challenges(in: response).filter { realm == nil || realm == $0.realm }
        let strong = named.filter { challenge in strength.map { DigestStrength(challenge).isAtLeast($0) } ?? true }
        guard named.isEmpty || !strong.isEmpty else { throw .weaker }
        for challenge in strong where !accepted.contains(where: { $0.isAbout(challenge) }) {
            accepted.append(
                Session(
                    challenge: challenge, clientNonce: clientNonce, nonce: challenge.nonceEcho,
                    followsStale: try isStaleAnswer(challenge, request)))
        }
        let strengths = accepted.map { DigestStrength($0.challenge) }
        guard let first = strengths.first else { throw .unsupported }
        sessions.removeAll { old in accepted.contains { $0.isAbout(old.challenge) } }
        sessions = Array((accepted + sessions).prefix(Self.sessionLimit))
        return strengths.reduce(first) { $0.isAtLeast($1) ? $1 : $0 }
    }

    /// Removes the challenges that ask for a weaker proof. They were accepted when no stronger one was known.
    public mutating func forget(weakerThan strength: DigestStrength) {
        sessions.removeAll { !DigestStrength($0.challenge).isAtLeast(strength) }
    }

    /// Removes the challenges of all other realms.
    public mutating func forget(otherThan realm: String) {
        sessions.removeAll { $0.challenge.realm != realm }
    }

    /// Adds the credentials for every accepted challenge, in place of older ones. Each use increments the nonce count.
    /// The request must already have the body that will be sent, because a server may ask for a hash of it.
    public mutating func authorize(_ request: inout SIPRequest) {
        request.headers[.authorization] = nil
        request.headers[.proxyAuthorization] = nil
        for index in sessions.indices {
            sessions[index].uses += 1
            let name: SIPHeaderName = sessions[index].challenge.isProxy ? .proxyAuthorization : .authorization
            request.headers.append(name, answer(sessions[index], to: request))
        }
    }

    private func challenges(in response: SIPResponse) throws(Refusal) -> [DigestChallenge] {
        do throws(SIPParseError) {
            return try DigestChallenge.all(in: response)
                .filter { credentials.realm == nil || credentials.realm == $0.realm }
        } catch {
            throw .malformed(error)
        }
    }

    /// Whether the challenge calls our first answer to a fresh nonce stale. That may happen once. A first answer that
    /// is refused for another reason means a wrong password (RFC 7616 §3.4.3 and RFC 3261 §22.2).
    private func isStaleAnswer(_ challenge: DigestChallenge, _ request: SIPRequest) throws(Refusal) -> Bool {
        guard let old = sessions.first(where: { $0.isAbout(challenge) }), old.uses == 1, !old.isTrusted,
            request.headers.contains(challenge.isProxy ? .proxyAuthorization : .authorization)
        else { return false }
        guard challenge.isStale, !old.followsStale else { throw .rejected }
        return true
    }

    private func answer(_ session: Session, to request: SIPRequest) -> Authentication {
        let challenge = session.challenge
        let use = DigestUse(
            method: request.method.name, uri: request.uri.text, nonce: session.nonce.value, count: session.uses,
            clientNonce: session.clientNonce, body: request.body)
        var answer = Authentication(scheme: "Digest")
        answer.parameters.setQuoted("username", credentials.username)
        answer.parameters.append("realm", written: challenge.realmEcho.written)
        answer.parameters.append("nonce", written: session.nonce.written)
        answer.parameters.setQuoted("uri", request.uri.text)
        answer.parameters.setQuoted("response", credentials.proof(use, of: challenge, hashes))
        if let name = challenge.algorithmName { answer.parameters["algorithm"] = name }
        if let opaque = challenge.opaqueEcho { answer.parameters.append("opaque", written: opaque.written) }
        if let protection = challenge.protection {
            answer.parameters["qop"] = protection.rawValue
            answer.parameters["nc"] = use.writtenCount
        }
        if challenge.protection != nil || challenge.algorithm.isSession {
            answer.parameters.setQuoted("cnonce", session.clientNonce)
        }
        return answer
    }
}

/// The server's own proof, which it sends after it accepted an answer (RFC 7616 §3.5, RFC 7615 for proxies).
extension DigestAuthenticator {
    public enum ServerProof: Equatable, Sendable {
        /// The server sent nothing that can be checked.
        case none
        /// The server proved that it knows the password.
        case given
        /// The proof is wrong. Either the server does not know the password, or it computes the proof differently from
        /// the RFC, as some servers do. Nothing in such a header is used.
        case wrong
    }

    /// Reads Authentication-Info and Proxy-Authentication-Info, and adopts the next nonces that they name.
    ///
    /// A wrong proof is no reason to stop: an attacker without the password would rather leave the proof out.
    /// - Parameter request: The request that was answered, as it was sent.
    @discardableResult
    public mutating func receive(_ response: SIPResponse, to request: SIPRequest) -> ServerProof {
        let proofs = [false, true].map { isProxy in
            Info(response, isProxy: isProxy).map { take($0, response, to: request) } ?? .none
        }
        return proofs.contains(.wrong) ? .wrong : proofs.contains(.given) ? .given : .none
    }

    private struct Info {
        let value: AuthenticationInfo
        let isProxy: Bool

        /// Nil when the header is absent or cannot be read.
        init?(_ response: SIPResponse, isProxy: Bool) {
            do throws(SIPParseError) {
                let headers = response.headers
                guard let value = try isProxy ? headers.proxyAuthenticationInfo : headers.authenticationInfo
                else { return nil }
                (self.value, self.isProxy) = (value, isProxy)
            } catch {
                return nil
            }
        }
    }

    private mutating func take(_ info: Info, _ response: SIPResponse, to request: SIPRequest) -> ServerProof {
        let answers = answers(in: request, isProxy: info.isProxy)
        let believed: Int
        if let proof = info.value.responseDigest {
            let match = answers.first { answer in
                var use = answer.use
                (use.method, use.body) = ("", response.body)
                return credentials.proof(use, of: sessions[answer.session].challenge, hashes).equalsIgnoringCase(proof)
            }
            guard let match else { return .wrong }
            believed = match.session
        } else {
            // With several realms, a header without a proof could belong to any of them.
            guard let only = answers.first, answers.count == 1 else { return .none }
            believed = only.session
        }
        if let next = DigestChallenge.Echo("nextnonce", of: info.value.parameters) {
            sessions[believed].nonce = next
            sessions[believed].uses = 0
            sessions[believed].isTrusted = true
        }
        return info.value.responseDigest == nil ? .none : .given
    }

    /// The answers in a request to challenges that are still in use, each with the index of its session.
    private func answers(in request: SIPRequest, isProxy: Bool) -> [(session: Int, use: DigestUse)] {
        let name: SIPHeaderName = isProxy ? .proxyAuthorization : .authorization
        let written: [Authentication]
        do throws(SIPParseError) { written = try request.headers.wholeList(name) } catch { return [] }
        return sessions.indices.compactMap { index in
            let session = sessions[index]
            let answer = written.first { $0.answers(session) }
            guard session.challenge.isProxy == isProxy, let answer else { return nil }
            let use = DigestUse(
                method: request.method.name, uri: answer.parameters["uri"] ?? "", nonce: session.nonce.value,
                count: UInt32(answer.parameters["nc"] ?? "0", radix: 16) ?? 0, clientNonce: session.clientNonce)
            return (index, use)
        }
    }
}

extension Authentication {
    fileprivate func answers(_ session: DigestAuthenticator.Session) -> Bool {
        parameters["realm"] == session.challenge.realm && parameters["nonce"] == session.nonce.value
    }
}
