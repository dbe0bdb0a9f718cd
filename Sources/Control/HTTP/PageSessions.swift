import Base
import Cryptography
import JSON
import NIOHTTP1
import PhoneCore
import Platform

/// The sessions of pages: a page that is loaded again needs no token. They are in memory only, and each ends with its
/// token.
///
/// A session has two secrets. The browser keeps the cookie out of reach of scripts, but sends it to every port of the
/// host (RFC 6265 §8.5). The page keeps the proof and sends it in a separate header, and no page of another origin
/// can send that header. Neither secret is worth anything alone.
package struct PageSessions {
    package struct Secrets {
        package let cookie: String
        package let proof: String
    }

    private struct Session {
        let token: ControlToken
        /// The digest of the proof.
        let proof: [UInt8]
        let end: Instant
    }

    /// The most sessions of one token. The oldest ends first.
    package static let limit = 16
    package static let life = Duration.seconds(7 * 86_400)
    private static let secretBytes = 32
    /// In bytes. A longer text is no secret of the phone.
    private static let longest = 64

    /// By the digest of the cookie.
    private var sessions: [[UInt8]: Session] = [:]

    package var count: Int { sessions.count }

    package init() {}

    /// Begins a session with new secrets. Nothing that a browser sent before becomes part of it.
    package mutating func begin(for token: ControlToken, at now: Instant) -> Secrets {
        sessions = sessions.filter { $0.value.end > now }
        let own = sessions.filter { $0.value.token == token }
        if own.count >= Self.limit, let oldest = own.min(by: { $0.value.end < $1.value.end }) {
            sessions[oldest.key] = nil
        }
        let secrets = Secrets(cookie: Self.secret(), proof: Self.secret())
        sessions[Self.digest(secrets.cookie)] = Session(
            token: token, proof: Self.digest(secrets.proof), end: now + Self.life)
        return secrets
    }

    /// The token of the session that both secrets belong to; nil: they belong to no session.
    package func bearer(cookie: String, proof: String, at now: Instant) -> ControlToken? {
        guard cookie.utf8.count <= Self.longest, proof.utf8.count <= Self.longest,
            let session = sessions[Self.digest(cookie)], session.end > now,
            equalsInConstantTime(session.proof, Self.digest(proof), length: Self.secretBytes)
        else { return nil }
        return session.token
    }

    package mutating func end(cookie: String) { sessions[Self.digest(cookie)] = nil }

    /// Ends the sessions of removed tokens.
    package mutating func keep(_ isKnown: (ControlToken) -> Bool) {
        sessions = sessions.filter { isKnown($0.value.token) }
    }

    private static func digest(_ secret: String) -> [UInt8] { Digest.sha256(Array(secret.utf8)) }

    private static func secret() -> String {
        var random = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<secretBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}

/// The cookie of a session.
///
/// Browsers share cookies between the ports of a host. So the name holds the port, and a part of the proof's digest:
/// pages of several phones, and several tabs with one phone, do not overwrite each other's cookies.
struct SessionCookie {
    /// The header with the proof.
    static let header = "Offhook-Page"

    let name: String
    /// Whether browsers send the cookie over TLS only.
    private let isSecure: Bool

    /// - Parameter hasTLS: Whether the phone itself speaks TLS. A proxy that does so in front of it shows only in an
    ///   origin, which not every request has, so the name does not depend on it.
    init(_ request: ServerRequest, proof: String, hasTLS: Bool) {
        let port = request.header("host").flatMap { HostAndPort($0) }?.port ?? 0
        // With this prefix, browsers take the cookie only over TLS and from this very host (RFC 6265bis §4.1.3.2).
        let prefix = hasTLS ? "__Host-" : ""
        name = "\(prefix)offhook-\(port)-\(Digest.sha256(Array(proof.utf8)).prefix(4).hexadecimal)"
        isSecure = hasTLS || request.header("origin")?.lowercased().hasPrefix("https:") == true
    }

    /// - Parameters:
    ///   - value: Empty: the browser removes the cookie.
    ///   - life: How long the browser keeps it.
    func setting(_ value: String, life: Duration) -> (name: String, value: String) {
        let attributes = "; Path=/; Max-Age=\(life.components.seconds); HttpOnly; SameSite=Strict"
        return ("Set-Cookie", "\(name)=\(value)\(attributes)" + (isSecure ? "; Secure" : ""))
    }

    var removal: (name: String, value: String) { setting("", life: .zero) }
}

// The phone's own page only.
extension HTTPDoor {
    /// The token of the session that a page continues. An unknown session counts as no guess: after a restart of the
    /// phone each page has one.
    func bearer(ofPage request: ServerRequest, proof: String, from peer: TransportAddress?)
        throws(HTTPRefusal) -> ControlToken
    {
        try requireTokens()
        try checkPage(request)
        let cookie = sessionCookie(of: request, proof)
        let token = request.cookie(cookie.name).flatMap {
            sessions.bearer(cookie: $0, proof: proof, at: MonotonicClock.now())
        }
        if let token, exchange.tokens.knows(token) { return token }
        try admitRequest(of: nil, from: peer)
        throw HTTPRefusal(
            .unauthorized, "this session has ended; a token is needed",
            [("WWW-Authenticate", "Bearer"), cookie.removal])
    }

    /// Rejects a request that a page of another origin could cause. Browsers name the origin in every request but GET
    /// and HEAD, and the relation of the two sites where they can (Fetch Metadata).
    func checkPage(_ request: ServerRequest) throws(HTTPRefusal) {
        let isRead = request.method == .GET || request.method == .HEAD
        let site = request.header("sec-fetch-site") ?? "same-origin"
        guard isRead || request.header("origin") != nil, site == "same-origin" else {
            throw HTTPRefusal(.forbidden, "only the phone's own page may have a session")
        }
    }

    /// Begins a session for the token of a request. A session of the same token that the request continues, stays.
    func beginSession(_ request: ServerRequest, of bearer: ControlToken) -> HTTPAnswer {
        let now = MonotonicClock.now()
        var headers = [("Cache-Control", "no-store")]
        if let proof = request.header(SessionCookie.header) {
            let former = sessionCookie(of: request, proof)
            if let cookie = request.cookie(former.name) {
                let token = sessions.bearer(cookie: cookie, proof: proof, at: now)
                if token == bearer { return HTTPAnswer(.noContent, headers) }
                if token != nil { sessions.end(cookie: cookie) }
                headers.append(former.removal)
            }
        }
        let secrets = sessions.begin(for: bearer, at: now)
        headers.append(
            sessionCookie(of: request, secrets.proof).setting(secrets.cookie, life: PageSessions.life))
        var answer = HTTPAnswer(json: ["proof": .string(secrets.proof)])
        answer.headers += headers
        return answer
    }

    private func sessionCookie(of request: ServerRequest, _ proof: String) -> SessionCookie {
        SessionCookie(request, proof: proof, hasTLS: isSecure)
    }
}
