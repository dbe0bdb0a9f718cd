import Base
import SIPCore
import Testing

/// Several challenges, several realms, and Authentication-Info.
@Suite struct DigestSessionTests {
    private typealias Lines = [(SIPHeaderName, String)]

    private func response(_ status: SIPStatus, _ lines: Lines) throws -> SIPResponse {
        var response = try SIPRequest.sample(.register).response(status, tag: "b2")
        for (name, value) in lines { response.headers.append(name, value) }
        return response
    }

    private func authenticator(realm: String? = nil) -> DigestAuthenticator {
        let credentials = DigestCredentials(username: "alice", password: Redacted("secret"), realm: realm)
        return DigestAuthenticator(credentials, hashes: .test)
    }

    /// An authenticator with these challenges, and a request that answers them.
    private func answered(
        _ lines: Lines, in realm: String? = nil, body: [UInt8] = []
    ) throws -> (DigestAuthenticator, SIPRequest) {
        var authenticator = authenticator()
        var request = try SIPRequest.sample(.register)
        request.body = body
        try authenticator.accept(response(.unauthorized, lines), to: request, in: realm, clientNonce: "c")
        authenticator.authorize(&request)
        return (authenticator, request)
    }

    private func answers(_ request: SIPRequest, _ name: SIPHeaderName = .authorization) throws -> [Authentication] {
        request.headers.contains(name) ? try request.headers.list(name) : []
    }

    @Test func everyRealmIsAnsweredOnce() throws {
        let (_, request) = try answered([
            (.wwwAuthenticate, #"Digest realm="a", nonce="1", algorithm=SHA-512-256, qop="auth""#),
            (.wwwAuthenticate, #"Digest realm="b", nonce="2", qop="auth", Digest realm="a", nonce="3""#),
            (.proxyAuthenticate, #"Digest realm="a", nonce="4""#),
        ])
        #expect(try answers(request).map { $0.parameters["nonce"] } == ["1", "2"])
        #expect(try answers(request).map { $0.parameters["algorithm"] } == ["SHA-512-256", nil])
        #expect(try answers(request, .proxyAuthorization).map { $0.parameters["nonce"] } == ["4"])
    }

    @Test func onlyRequestedRealmIsAnswered() throws {
        let lines: Lines = [
            (.wwwAuthenticate, #"Digest realm="theirs", nonce="1""#),
            (.proxyAuthenticate, #"Digest realm="ours", nonce="2""#),
        ]
        let (_, request) = try answered(lines, in: "ours")
        #expect(try answers(request).isEmpty)
        #expect(try answers(request, .proxyAuthorization).map { $0.parameters["realm"] } == ["ours"])
        #expect(throws: DigestAuthenticator.Refusal.unsupported) { try answered(lines, in: "nobody's") }
    }

    @Test func lineOfOtherGrammarIsSkipped() throws {
        let (_, request) = try answered([
            (.wwwAuthenticate, "Negotiate YII/Zw=="), (.wwwAuthenticate, #"Digest realm="a", nonce="1""#),
        ])
        #expect(try answers(request).count == 1)
    }

    @Test func secondRealmMayChallengeLater() throws {
        var (authenticator, request) = try answered([(.wwwAuthenticate, #"Digest realm="a", nonce="1""#)])
        let second = try response(
            .proxyAuthenticationRequired, [(.proxyAuthenticate, #"Digest realm="b", nonce="2""#)])
        try authenticator.accept(second, to: request, clientNonce: "d")
        authenticator.authorize(&request)
        #expect(try answers(request).count == 1)
        #expect(try answers(request, .proxyAuthorization).count == 1)
    }

    @Test(arguments: [
        (#""r \"q\" \\""#, #""n\a\"1""#, #""o\o""#), ("token", "n/1=", "o"), (#""""#, #""x""#, #""""#),
    ])
    func parametersAreReturnedUnchanged(_ realm: String, _ nonce: String, _ opaque: String) throws {
        let (_, request) = try answered([
            (.wwwAuthenticate, "Digest realm=\(realm), nonce=\(nonce), opaque=\(opaque), qop=auth")
        ])
        let answer = try #require(try answers(request).first)
        for (name, text) in [("realm", realm), ("nonce", nonce), ("opaque", opaque)] {
            let expected = text.hasPrefix("\"") ? text : "\"\(text)\""
            #expect(answer.parameters.all.first { $0.name == name }?.written == expected)
        }
    }

    @Test func namesAreQuotedAndNotHashed() throws {
        let credentials = DigestCredentials(username: #"Jäs"øn\"#, password: Redacted("secret"))
        var authenticator = DigestAuthenticator(credentials, hashes: .test)
        var request = try SIPRequest.sample(.register)
        let challenge = #"Digest realm="a", nonce="1", userhash=true, charset=UTF-8, qop="auth""#
        try authenticator.accept(
            response(.unauthorized, [(.wwwAuthenticate, challenge)]), to: request, clientNonce: "c")
        authenticator.authorize(&request)
        let answer = try #require(try answers(request).first)
        #expect(answer.parameters.all.first?.written == #""Jäs\"øn\\""#)
        #expect(answer.parameters["username"] == #"Jäs"øn\"#)
        #expect(!answer.parameters.contains("userhash"))
    }

    @Test func bodyIsProtectedIfOnlyThatIsOffered() throws {
        let lines: Lines = [(.wwwAuthenticate, #"Digest realm="a", nonce="1", qop="auth-int""#)]
        let (_, empty) = try answered(lines)
        let (_, full) = try answered(lines, body: [65])
        #expect(try answers(full).first?.parameters["qop"] == "auth-int")
        #expect(try answers(full).first?.parameters["response"] != answers(empty).first?.parameters["response"])
    }

    // MARK: Authentication-Info

    private static let challenge: (SIPHeaderName, String) = (
        .wwwAuthenticate, #"Digest realm="a", nonce="1", algorithm=MD5-sess, qop="auth""#
    )

    /// The header of a server that knows this password.
    private func proof(_ password: String, nonce: String = "1", count: UInt32 = 1) throws -> String {
        let challenge = try #require(DigestChallenge(Authentication(Self.challenge.1)))
        let use = DigestUse(method: "", uri: "sip:bob@example.net", nonce: nonce, count: count, clientNonce: "c")
        return DigestCredentials(username: "alice", password: Redacted(password)).proof(use, of: challenge, .test)
    }

    @Test func nextNonceWithValidProofIsTaken() throws {
        var (authenticator, request) = try answered([Self.challenge])
        let proof = try proof("secret")
        let info = #"qop=auth, rspauth="\#(proof)", cnonce="c", nc=00000001, nextnonce="2""#
        let ok = try response(.ok, [(.authenticationInfo, info)])
        #expect(authenticator.receive(ok, to: request) == .given)
        authenticator.authorize(&request)
        let answer = try #require(try answers(request).first)
        #expect(answer.parameters["nonce"] == "2")
        #expect(answer.parameters["nc"] == "00000001")
        // The session's secret stays bound to the first nonce.
        let challenge = try #require(DigestChallenge(Authentication(Self.challenge.1)))
        let use = DigestUse(method: "REGISTER", uri: "sip:bob@example.net", nonce: "2", count: 1, clientNonce: "c")
        let credentials = DigestCredentials(username: "alice", password: Redacted("secret"))
        #expect(answer.parameters["response"] == credentials.proof(use, of: challenge, .test))
        // An expired nonce does not mean a wrong password.
        try authenticator.accept(
            response(.unauthorized, [(.wwwAuthenticate, #"Digest realm="a", nonce="3""#)]), to: request,
            clientNonce: "d")
    }

    @Test func wrongProofIsRejected() throws {
        var (authenticator, request) = try answered([Self.challenge])
        let proof = try proof("guess")
        let info = #"rspauth="\#(proof)", nextnonce="2""#
        let ok = try response(.ok, [(.authenticationInfo, info)])
        #expect(authenticator.receive(ok, to: request) == .wrong)
        authenticator.authorize(&request)
        #expect(try answers(request).first?.parameters["nonce"] == "1")
    }

    @Test(arguments: [#"nextnonce="2""#, #"nextnonce="2", qop=auth"#])
    func nextNonceWithoutProofIsTaken(_ info: String) throws {
        var (authenticator, request) = try answered([Self.challenge])
        let ok = try response(.ok, [(.authenticationInfo, info)])
        #expect(authenticator.receive(ok, to: request) == .none)
        authenticator.authorize(&request)
        #expect(try answers(request).first?.parameters["nonce"] == "2")
    }

    @Test(arguments: ["nextnonce", "", "=", #"nextnonce="2"#])
    func malformedAuthenticationInfoIsIgnored(_ info: String) throws {
        var (authenticator, request) = try answered([Self.challenge])
        let ok = try response(.ok, [(.authenticationInfo, info)])
        #expect(authenticator.receive(ok, to: request) == .none)
        authenticator.authorize(&request)
        #expect(try answers(request).first?.parameters["nonce"] == "1")
    }

    @Test func authenticationInfoNeedsOurAnswer() throws {
        var (authenticator, request) = try answered([Self.challenge])
        request.headers[.authorization] = nil
        let ok = try response(.ok, [(.authenticationInfo, #"nextnonce="2""#)])
        #expect(authenticator.receive(ok, to: request) == .none)
        authenticator.authorize(&request)
        #expect(try answers(request).first?.parameters["nonce"] == "1")
    }

    @Test func proxyHasItsOwnAuthenticationInfo() throws {
        var (authenticator, request) = try answered([
            Self.challenge, (.proxyAuthenticate, #"Digest realm="p", nonce="1", qop="auth""#),
        ])
        let ok = try response(.ok, [(.proxyAuthenticationInfo, #"nextnonce="2""#)])
        authenticator.receive(ok, to: request)
        authenticator.authorize(&request)
        #expect(try answers(request).first?.parameters["nonce"] == "1")
        #expect(try answers(request, .proxyAuthorization).first?.parameters["nonce"] == "2")
    }
}
