/// Answers the challenges of an account's own server (RFC 3261 §22, RFC 7616, RFC 8760).
///
/// Feed it each 401 and 407 that came from that server, and only from there: an answer to a stranger is a lever on
/// the password. Then send the request again with a new CSeq, authorised. Later requests may be authorised at once.
public struct DigestAuthenticator: Sendable {
    public enum Refusal: Error, Equatable, Sendable {
        /// No challenge, or none of a kind and realm that we answer.
        case unsupported
        /// Our answer was not accepted: the password is wrong, or the server turns in circles.
        case rejected
        case malformed(SIPParseError)
    }

    /// A challenge that we answer until a newer one comes.
    private struct Session: Equatable, Sendable {
        let challenge: DigestChallenge
        let isProxy: Bool
        let clientNonce: String
        /// How often this nonce was used.
        var uses: UInt32 = 0
        /// The challenge came in place of a fresh one that was called stale.
        let followsStale: Bool
    }

    /// Realms that a server may name; more than a route has proxies.
    private static let sessionLimit = 8

    private let credentials: DigestCredentials
    private let hashes: DigestHashes
    private var sessions: [Session] = []

    public init(_ credentials: DigestCredentials, hashes: DigestHashes) {
        (self.credentials, self.hashes) = (credentials, hashes)
    }

    /// Reads the challenges of a 401 or 407: the topmost that we can answer counts, in each realm (RFC 8760 §2.4).
    /// - Parameters:
    ///   - request: The request that was challenged, as it was sent.
    ///   - clientNonce: A new one, of `SIPIdentifiers.makeClientNonce`.
    public mutating func accept(
        _ response: SIPResponse, to request: SIPRequest, clientNonce: String
    ) throws(Refusal) {
        var accepted: [Session] = []
        for isProxy in [false, true] {
            for challenge in try challenges(in: response, isProxy: isProxy)
            where !accepted.contains(where: { $0.isProxy == isProxy && $0.challenge.realm == challenge.realm }) {
                accepted.append(
                    Session(
                        challenge: challenge, isProxy: isProxy, clientNonce: clientNonce,
                        followsStale: try isStaleAnswer(challenge, isProxy: isProxy, request)))
            }
        }
        guard !accepted.isEmpty else { throw .unsupported }
        sessions.removeAll { old in
            accepted.contains { $0.isProxy == old.isProxy && $0.challenge.realm == old.challenge.realm }
        }
        sessions = Array((accepted + sessions).prefix(Self.sessionLimit))
    }

    /// Adds the credentials of every accepted challenge, in place of older ones. Each use counts the nonce up.
    public mutating func authorize(_ request: inout SIPRequest) {
        request.headers[.authorization] = nil
        request.headers[.proxyAuthorization] = nil
        for index in sessions.indices {
            sessions[index].uses += 1
            let name: SIPHeaderName = sessions[index].isProxy ? .proxyAuthorization : .authorization
            request.headers.append(name, answer(sessions[index], to: request))
        }
    }

    private func challenges(in response: SIPResponse, isProxy: Bool) throws(Refusal) -> [DigestChallenge] {
        do throws(SIPParseError) {
            let name: SIPHeaderName = isProxy ? .proxyAuthenticate : .wwwAuthenticate
            return try response.headers.list(name, of: Authentication.self)
                .compactMap(DigestChallenge.init)
                .filter { credentials.realm == nil || credentials.realm == $0.realm }
        } catch {
            throw .malformed(error)
        }
    }

    /// Whether the challenge calls stale what was a first answer to a fresh nonce. That may happen once; and a first
    /// answer that is refused for another reason is a wrong password (RFC 7616 §3.4.3 and RFC 3261 §22.2).
    private func isStaleAnswer(
        _ challenge: DigestChallenge, isProxy: Bool, _ request: SIPRequest
    ) throws(Refusal) -> Bool {
        guard
            let old = sessions.first(where: { $0.isProxy == isProxy && $0.challenge.realm == challenge.realm }),
            old.uses == 1, request.headers.contains(isProxy ? .proxyAuthorization : .authorization)
        else { return false }
        guard challenge.isStale, !old.followsStale else { throw .rejected }
        return true
    }

    private func answer(_ session: Session, to request: SIPRequest) -> Authentication {
        let challenge = session.challenge
        let hex = String(session.uses, radix: 16)
        let count = String(repeating: "0", count: 8 - hex.utf8.count) + hex
        let response = credentials.response(
            to: challenge, method: request.method, uri: request.uri.text, count: count,
            clientNonce: session.clientNonce, hashes)
        var answer = Authentication(scheme: "Digest")
        answer.parameters.setQuoted("username", credentials.username)
        answer.parameters.setQuoted("realm", challenge.realm)
        answer.parameters.setQuoted("nonce", challenge.nonce)
        answer.parameters.setQuoted("uri", request.uri.text)
        answer.parameters.setQuoted("response", response)
        if let name = challenge.algorithmName { answer.parameters["algorithm"] = name }
        if let opaque = challenge.opaque { answer.parameters.setQuoted("opaque", opaque) }
        if challenge.hasQualityOfProtection {
            answer.parameters["qop"] = "auth"
            answer.parameters["nc"] = count
            answer.parameters.setQuoted("cnonce", session.clientNonce)
        } else if challenge.algorithm.isSession {
            answer.parameters.setQuoted("cnonce", session.clientNonce)
        }
        return answer
    }
}
