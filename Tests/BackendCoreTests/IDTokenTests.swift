import BackendCore
import Base
import JSON
import Testing

/// Which ID tokens the phone believes, and which keys it looks at.
@Suite struct IDTokenTests {
    /// The failure of a sign-in with this token, after the claims were judged.
    private func fault(_ token: String, clockError: Int64 = 0) throws -> DeviceGrantFailure? {
        var phone = try Phone.waiting()
        phone.run(for: .seconds(5))
        phone.clockError = clockError
        try phone.answer(Phone.token, 200, Phone.tokens(token))
        guard case .signInFailed(let failure) = phone.notices.last else { return nil }
        #expect(phone.open.map { Phone.path($0.request) } == [Phone.revoke], "only the revocation is left")
        return failure
    }

    static let falsified: [(String, JSONValue?, IDTokenFault)] = [
        ("iss", "https://mallory.example", .issuer("https://mallory.example")),
        ("iss", "https://backend.example/", .issuer("https://backend.example/")),
        ("iss", nil, .malformed(.init("id_token.iss", .missing))),
        ("iss", 7, .malformed(.init("id_token.iss", .wrongType))),
        ("aud", "other", .audience), ("aud", ["other"], .audience), ("aud", [], .audience),
        ("aud", ["offhook", "other"], .audience), ("aud", nil, .malformed(.init("id_token.aud", .missing))),
        ("aud", ["offhook", 7], .malformed(.init("id_token.aud", .wrongType))),
        ("aud", ["offhook": true], .malformed(.init("id_token.aud", .wrongType))),
        (
            "aud", .array([JSONValue](repeating: "offhook", count: 17)),
            .malformed(.init("id_token.aud", .tooMany))
        ),
        ("azp", "other", .audience),
        ("sub", nil, .malformed(.init("id_token.sub", .missing))),
        ("sub", "", .malformed(.init("id_token.sub", .empty))),
        ("sub", .string(String(repeating: "s", count: 256)), .malformed(.init("id_token.sub", .tooLong))),
        ("sub", "ada\nmallory", .malformed(.init("id_token.sub", .characters))),
        ("exp", nil, .malformed(.init("id_token.exp", .missing))),
        ("exp", "1800003600", .malformed(.init("id_token.exp", .wrongType))),
        ("exp", .number(1e300), .malformed(.init("id_token.exp", .outOfRange))),
        ("exp", .integer(Int64.min), .malformed(.init("id_token.exp", .outOfRange))),
        ("iat", nil, .malformed(.init("id_token.iat", .missing))),
        ("iat", true, .malformed(.init("id_token.iat", .wrongType))),
        ("exp", .integer(Phone.start), .malformed(.init("id_token.exp", .outOfRange))),
        ("name", 7, .malformed(.init("id_token.name", .wrongType))),
        ("email", ["a"], .malformed(.init("id_token.email", .wrongType))),
    ]

    @Test(arguments: falsified) func falsifiedClaimIsRejected(
        _ claim: String, _ value: JSONValue?, _ fault: IDTokenFault
    ) throws {
        #expect(try self.fault(Phone.idToken(Phone.claims([claim: value]))) == .identity(fault))
    }

    @Test func severalAudiencesNeedAnAuthorisedParty() throws {
        #expect(try fault(Phone.idToken(Phone.claims(["aud": ["other", "offhook"], "azp": "offhook"]))) == nil)
        #expect(try fault(Phone.idToken(Phone.claims(["aud": ["offhook"]]))) == nil)
    }

    static let headers: [(JSONValue, IDTokenFault)] = [
        (["alg": "none", "kid": "key-1"], .algorithm("none")), (["alg": "HS256"], .algorithm("HS256")),
        (["alg": "rs256"], .algorithm("rs256")), (["alg": "RS256 "], .algorithm("RS256 ")),
        (["alg": "PS256"], .algorithm("PS256")), (["alg": "ES256K"], .algorithm("ES256K")),
        (["kid": "key-1"], .algorithm("")), (["alg": 256], .algorithm("")),
        (["alg": "RS256", "crit": ["exp"]], .criticalHeader),
        (["alg": "RS256", "kid": 7], .malformed(.init("id_token.header.kid", .wrongType))),
        (["alg": "RS256", "kid": "a b"], .malformed(.init("id_token.header.kid", .characters))),
        (["RS256"], .malformed(.init("id_token.header", .wrongType))),
    ]

    @Test(arguments: headers) func falsifiedHeaderIsRejected(_ header: JSONValue, _ fault: IDTokenFault) throws {
        #expect(try self.fault(Phone.idToken(header: header)) == .identity(fault))
    }

    @Test(arguments: ["a.b", "a.b.c.d", "..", "e30.e30.!", "e30=.e30.e30", "e31.e30.e30", "e30.W10.e30"])
    func textThatIsNoTokenIsRejected(_ text: String) throws {
        switch try fault(text) {
        case .identity(.malformed), .identity(.algorithm("")): break
        case let other: Issue.record("\(text): \(other as Any)")
        }
    }

    static let unreadable: [(JSONValue?, BackendParseFault.Problem)] = [
        (nil, .missing), (7, .wrongType), ("", .empty), ("e30 .e30.e30", .characters),
        (.string(String(repeating: "A", count: 16_385)), .tooLong),
    ]

    @Test(arguments: unreadable) func unreadableTokenIsNamed(
        _ token: JSONValue?, _ problem: BackendParseFault.Problem
    ) throws {
        var phone = try Phone.waiting()
        phone.run(for: .seconds(5))
        try phone.answer(Phone.token, 200, Phone.tokens().with(["id_token": token]))
        #expect(phone.notices == [.signInFailed(.backend(.parse(BackendParseFault("id_token", problem))))])
    }

    // MARK: Clocks

    @Test(
        arguments: [
            (-66, IDTokenFault?.some(.notYetValid(seconds: 61))), (-65, nil), (0, nil), (3_600, nil),
            (3_654, nil), (3_655, .expired(seconds: 60)), (86_400, .expired(seconds: 82_805)),
        ] as [(Int64, IDTokenFault?)])
    func clocksMayDifferByAMinute(_ error: Int64, _ fault: IDTokenFault?) throws {
        // Five seconds have passed since the token was issued.
        #expect(try self.fault(Phone.idToken(), clockError: error) == fault.map(DeviceGrantFailure.identity))
    }

    @Test func faultOfClocksNamesTheSeconds() {
        #expect(IDTokenFault.notYetValid(seconds: 3_600).sentence.contains("3600 seconds in the future"))
        #expect(IDTokenFault.expired(seconds: 75).sentence.contains("expired 75 seconds ago"))
    }

    // MARK: Keys

    @Test func keyIsFoundByItsIdentifier() throws {
        var phone = try Phone.confirmed(Phone.idToken(header: ["alg": "ES256", "kid": "key-2"]))
        let x = [UInt8](repeating: 1, count: 32), y = [UInt8](repeating: 2, count: 32)
        let curve: JSONValue = [
            "kty": "EC", "crv": "P-256", "kid": "key-2", "x": .string(Base64URL.encode(x)),
            "y": .string(Base64URL.encode(y)),
        ]
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key(), curve, ["kty": "oct", "kid": "key-2"]]])
        guard case .verify(_, let signature) = phone.effects.last else { throw Phone.Missing(description: "no key") }
        #expect(signature.algorithm == .es256 && signature.key == .p256(x: x, y: y))
        let parts = Phone.idToken(header: ["alg": "ES256", "kid": "key-2"]).split(separator: ".")
        #expect(String(decoding: signature.signed, as: UTF8.self) == parts[0] + "." + parts[1])
        #expect(signature.signature == Array("signature".utf8))
    }

    @Test func wrongSignatureEndsTheSignIn() throws {
        var phone = try Phone.confirmed()
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key()]])
        phone.post(.verified(BackendRequestID(-1), true))
        #expect(!phone.isOpen(Phone.devices), "a verdict about another signature changes nothing")
        var other = try Phone.confirmed()
        try other.answer(Phone.jwks, 200, ["keys": [Phone.key()]])
        try other.verify(false)
        #expect(other.notices.last == .signInFailed(.identity(.signature)))
        #expect(!other.isOpen(Phone.devices) && other.isOpen(Phone.revoke))
    }

    /// Keys that must not verify an RS256 token.
    static let unusable: [[String: JSONValue?]] = [
        ["use": "enc"], ["alg": "PS256"], ["alg": "HS256"], ["kty": "EC"], ["kty": nil], ["kid": "key-2"],
        // 2040 bits, 4104 bits, zero, no base 64.
        ["n": .string(Base64URL.encode([UInt8](repeating: 0xC5, count: 255)))],
        ["n": .string(Base64URL.encode([UInt8](repeating: 0xC5, count: 513)))],
        ["n": .string(Base64URL.encode([0, 0, 0] + [UInt8](repeating: 0xC5, count: 255)))], ["n": ""], ["n": "+/=="],
        ["n": nil], ["e": "AQ"], ["e": "Ag"], ["e": "AQAAAAAB"], ["e": ""],
    ]

    @Test(arguments: unusable) func unusableKeyIsIgnored(_ changes: [String: JSONValue?]) throws {
        var phone = try Phone.confirmed()
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key("key-1", changes)]])
        #expect(phone.notices.last == .signInFailed(.identity(.unknownKey)))
    }

    /// RFC 7517 appendix A.1: a curve's key for encryption, which is left out, and an RSA key.
    @Test func keysOfTheStandardAreRead() throws {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n"
            + "3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0z"
            + "gdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-cs"
            + "FCur-kEgU8awapJzKnqDKgw"
        let curve: JSONValue = [
            "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "use": "enc", "kid": "1",
        ]
        let rsa: JSONValue = [
            "kty": "RSA", "n": .string(modulus), "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
        ]
        let set: JSONValue = ["keys": [curve, rsa]]
        let keys = try JSONWebKey.set(set.utf8)
        #expect(keys.map(\.id) == ["2011-04-29"] && keys.first?.algorithm == .rs256)
        guard case .rsa(let number, let exponent) = keys.first?.material else {
            throw Phone.Missing(description: "no key")
        }
        #expect(number.count == 256 && number.first == 0xD2 && exponent == [1, 0, 1])
    }

    @Test func tokenWithoutKeyNeedsTheOnlyKey() throws {
        let token = Phone.idToken(header: ["alg": "RS256"])
        var phone = try Phone.confirmed(token)
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key()]])
        #expect(phone.effects.contains { if case .verify = $0 { true } else { false } })
        phone = try Phone.confirmed(token)
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key(), Phone.key("key-2")]])
        #expect(phone.notices.last == .signInFailed(.identity(.unknownKey)))
    }

    /// A second sign-in, with this key in its token, until it needs a key.
    private func again(_ key: String, after pause: Duration) throws -> Phone {
        var phone = try Phone.signedIn()
        phone.now = phone.now + pause
        phone.post(.signIn)
        try phone.answer(Phone.discovery, 200, Phone.provider)
        try phone.answer(Phone.authorise, 200, Phone.code(["interval": 1]))
        phone.run(for: .seconds(1))
        let issued = JSONValue.integer(phone.time)
        let claims = Phone.claims(["iat": issued, "exp": .integer(phone.time + 60)])
        try phone.answer(
            Phone.token, 200, Phone.tokens(Phone.idToken(claims, header: ["alg": "RS256", "kid": .string(key)])))
        return phone
    }

    @Test func knownKeyIsNotFetchedAgain() throws {
        let phone = try again("key-1", after: .seconds(86_400))
        #expect(!phone.isOpen(Phone.jwks))
        #expect(phone.effects.contains { if case .verify = $0 { true } else { false } })
    }

    @Test func rotatedKeyIsFetchedOnce() throws {
        var phone = try again("key-2", after: .seconds(60))
        #expect(try phone.request(Phone.jwks).etag == "\"keys-1\"")
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key("key-2")]])
        #expect(phone.effects.contains { if case .verify = $0 { true } else { false } })

        phone = try again("key-2", after: .seconds(60))
        try phone.answer(Phone.jwks, 304)
        #expect(phone.notices.last == .signInFailed(.identity(.unknownKey)))
        #expect(phone.asked[Phone.jwks] == 1)
    }

    @Test func keysAreNotFetchedTooOften() throws {
        let phone = try again("key-2", after: .zero)
        #expect(!phone.isOpen(Phone.jwks))
        #expect(phone.notices.last == .signInFailed(.identity(.unknownKey)))
    }

    static let sets: [(JSONValue, BackendParseFault)] = [
        ([], .init("", .wrongType)), (["keys": 7], .init("keys", .wrongType)), (["key": []], .init("keys", .missing)),
        (["keys": [7]], .init("keys[0]", .wrongType)),
        (["keys": .array([JSONValue](repeating: [:], count: 33))], .init("keys", .tooMany)),
        (["keys": [Phone.key(), Phone.key("a", ["kid": 7])]], .init("keys[1].kid", .wrongType)),
    ]

    @Test(arguments: sets) func invalidSetIsNamed(_ set: JSONValue, _ fault: BackendParseFault) throws {
        var phone = try Phone.confirmed()
        for _ in 0..<4 {
            try phone.answer(Phone.jwks, 200, set)
            phone.run(for: .seconds(12))
        }
        #expect(phone.notices.last == .signInFailed(.backend(.parse(fault))))
    }

    @Test func keysAreFetchedAgainAfterAFailure() throws {
        var phone = try Phone.confirmed()
        try phone.fail(Phone.jwks, .timeout)
        #expect(!phone.isOpen(Phone.jwks))
        phone.run(for: .seconds(3))
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key()]])
        try phone.verify()
        #expect(phone.isOpen(Phone.devices))
    }
}
