import Base
import SIPCore
import Testing

@Suite struct DigestTests {
    private static let credentials = DigestCredentials(username: "alice", password: Redacted("secret"))

    private func challenged(
        _ challenges: String..., by name: SIPHeaderName = .wwwAuthenticate
    ) throws -> SIPResponse {
        var response = try SIPRequest.sample(.register).response(.unauthorized, tag: "b2")
        for challenge in challenges { response.headers.append(name, challenge) }
        return response
    }

    private func authenticator(realm: String? = nil) -> DigestAuthenticator {
        let credentials = DigestCredentials(username: "alice", password: Redacted("secret"), realm: realm)
        return DigestAuthenticator(credentials, hashes: .test)
    }

    private func answer(_ request: SIPRequest, _ name: SIPHeaderName = .authorization) throws -> SIPParameters {
        try #require(try request.headers.list(name, of: Authentication.self).first).parameters
    }

    /// RFC 2617 §3.5.
    @Test func rfc2617VectorMatches() throws {
        let challenge = try #require(
            DigestChallenge(
                Authentication(
                    """
                    Digest realm="testrealm@host.com", qop="auth,auth-int", \
                    nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"
                    """)))
        let credentials = DigestCredentials(username: "Mufasa", password: Redacted("Circle Of Life"))
        let use = DigestUse(
            method: "GET", uri: "/dir/index.html", nonce: challenge.nonce, count: 1, clientNonce: "0a4f113b")
        #expect(credentials.proof(use, of: challenge, .test) == "6629fae49393a05397450978507c4ef1")
    }

    /// RFC 7616 §3.9.1.
    @Test(arguments: [
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ])
    func rfc7616VectorsMatch(_ algorithm: String, _ expected: String) throws {
        let challenge = try #require(
            DigestChallenge(
                Authentication(
                    """
                    Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
                    nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
                    opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                    """)))
        let credentials = DigestCredentials(username: "Mufasa", password: Redacted("Circle of Life"))
        let use = DigestUse(
            method: "GET", uri: "/dir/index.html", nonce: challenge.nonce, count: 1,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(credentials.proof(use, of: challenge, .test) == expected)
    }

    @Test func topmostSupportedChallengeIsAnswered() throws {
        var authenticator = authenticator()
        let response = try challenged(
            #"Digest realm="r", nonce="1", algorithm=SHA-1024, qop="auth""#,
            #"Digest realm="r", nonce="2", algorithm=SHA-256, qop="auth-int, auth", opaque="o""#,
            #"Digest realm="r", nonce="3", qop="auth""#)
        var request = try SIPRequest.sample(.register)
        try authenticator.accept(response, to: request, clientNonce: "c")
        authenticator.authorize(&request)
        let parameters = try answer(request)
        #expect(parameters["nonce"] == "2")
        #expect(parameters["algorithm"] == "SHA-256")
        #expect(parameters["opaque"] == "o")
        #expect(parameters["uri"] == "sip:bob@example.net")
        #expect(parameters["nc"] == "00000001")
        #expect(parameters.all.first { $0.name == "qop" }?.written == "auth")
        #expect(parameters["response"]?.utf8.count == 64)
        authenticator.authorize(&request)
        #expect(request.headers.lines(.authorization).count == 1)
        #expect(try answer(request)["nc"] == "00000002")
    }

    @Test func serversWithoutQualityOfProtectionAreAnswered() throws {
        var authenticator = authenticator()
        var request = try SIPRequest.sample(.register)
        let response = try challenged(#"Digest realm="r", nonce="1""#, by: .proxyAuthenticate)
        try authenticator.accept(response, to: request, clientNonce: "c")
        authenticator.authorize(&request)
        let parameters = try answer(request, .proxyAuthorization)
        #expect(!parameters.contains("nc"))
        #expect(!parameters.contains("cnonce"))
        #expect(parameters["response"]?.utf8.count == 32)
        #expect(!request.headers.contains(.authorization))
    }

    @Test func sessionAlgorithmsBindNonces() throws {
        let plain = try #require(DigestChallenge(Authentication(#"Digest realm="r", nonce="1", qop=auth"#)))
        let bound = try #require(
            DigestChallenge(Authentication(#"Digest realm="r", nonce="1", qop=auth, algorithm=MD5-sess"#)))
        #expect(bound.algorithm.isSession)
        let use = DigestUse(method: "REGISTER", uri: "sip:r", nonce: "1", count: 1, clientNonce: "c")
        let answers = [plain, bound].map { Self.credentials.proof(use, of: $0, .test) }
        #expect(answers[0] != answers[1])
    }

    @Test func foreignRealmIsNotAnswered() throws {
        var authenticator = authenticator(realm: "ours")
        let request = try SIPRequest.sample(.register)
        let refused = [
            try challenged(#"Digest realm="theirs", nonce="1""#), try challenged(#"Basic realm="ours""#),
            try challenged(#"Digest realm="ours", nonce="1", qop="auth-plus""#), try challenged(),
            try challenged("Digest realm="),
        ]
        for response in refused {
            #expect(throws: DigestAuthenticator.Refusal.unsupported) {
                try authenticator.accept(response, to: request, clientNonce: "c")
            }
        }
    }

    @Test func wrongPasswordIsNotTriedTwice() throws {
        var authenticator = authenticator()
        var request = try SIPRequest.sample(.register)
        try authenticator.accept(challenged(#"Digest realm="r", nonce="1""#), to: request, clientNonce: "c")
        authenticator.authorize(&request)
        #expect(throws: DigestAuthenticator.Refusal.rejected) {
            try authenticator.accept(challenged(#"Digest realm="r", nonce="2""#), to: request, clientNonce: "c")
        }
    }

    @Test func staleNonceIsRenewedOnce() throws {
        var authenticator = authenticator()
        var request = try SIPRequest.sample(.register)
        try authenticator.accept(challenged(#"Digest realm="r", nonce="1""#), to: request, clientNonce: "c")
        authenticator.authorize(&request)
        let stale = try challenged(#"Digest realm="r", nonce="2", stale=TRUE"#)
        try authenticator.accept(stale, to: request, clientNonce: "c")
        authenticator.authorize(&request)
        #expect(try answer(request)["nonce"] == "2")
        #expect(throws: DigestAuthenticator.Refusal.rejected) {
            try authenticator.accept(stale, to: request, clientNonce: "c")
        }
    }

    @Test func expiredNonceIsRenewedWithoutStale() throws {
        var authenticator = authenticator()
        var request = try SIPRequest.sample(.register)
        try authenticator.accept(challenged(#"Digest realm="r", nonce="1""#), to: request, clientNonce: "c")
        for _ in 0..<2 { authenticator.authorize(&request) }
        try authenticator.accept(challenged(#"Digest realm="r", nonce="2""#), to: request, clientNonce: "c")
        authenticator.authorize(&request)
        #expect(try answer(request)["nonce"] == "2")
    }

    @Test func passwordIsNotPrinted() {
        #expect(!"\(Self.credentials) \(authenticator())".contains("secret"))
        #expect(!String(reflecting: authenticator()).contains("secret"))
    }
}
