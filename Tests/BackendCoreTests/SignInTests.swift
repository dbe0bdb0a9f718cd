import BackendCore
import Base
import JSON
import Testing

/// RFC 8628: the code, the polls, and what ends them.
@Suite struct SignInTests {
    @Test func codeIsShownAndUserIsSignedIn() throws {
        var phone = try Phone.restored()
        phone.post(.signIn)
        try phone.answer(Phone.discovery, 200, Phone.provider)
        #expect(
            try phone.request(Phone.authorise).text
                == "client_id=offhook&scope=openid%20profile%20email%20offline_access")
        try phone.answer(Phone.authorise, 200, Phone.code())
        #expect(
            phone.notices == [
                .signInCode(
                    DeviceCode(
                        userCode: "WDJB-MJHT", address: "https://backend.example/device",
                        completeAddress: "https://backend.example/device?user_code=WDJB-MJHT",
                        expiresIn: .seconds(600)))
            ])
        phone.run(for: .milliseconds(4_999))
        #expect(!phone.isOpen(Phone.token), "it polls after the interval, not at once")
        phone.run(for: .milliseconds(1))
        #expect(
            try phone.request(Phone.token).text
                == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=device-code-1"
                + "&client_id=offhook")
        try phone.answer(Phone.token, 200, Phone.tokens())
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key()]])
        try phone.verify()
        phone.clear()
        let registration = try phone.request(Phone.devices)
        #expect(registration.bearer?.reveal() == "sign-in-access")
        #expect(try JSONValue(parsing: registration.text)["device_id"] == "urn:uuid:phone")
        try phone.answer(Phone.devices, 201, Phone.device())
        guard case .signedIn(let signIn) = phone.notices.first else {
            Issue.record("\(phone.notices)")
            return
        }
        #expect(signIn.person == BackendPerson(subject: "sub-1-ada", name: "Ada Lovelace", email: "ada@example.org"))
        #expect(signIn.organisation.id == .number(17) && signIn.credentials?.user == "ada-17")
        #expect(signIn.push?.topic == "phones/dt-3/caller-info")
        #expect(phone.kept?.registration?.deviceToken.reveal() == Phone.deviceToken)
        #expect(phone.machine.signInStatus == .none)
    }

    @Test func tokensOfTheSignInAreRevoked() throws {
        var phone = try Phone.confirmed()
        try phone.finishSignIn()
        #expect(try phone.request(Phone.revoke).text.hasPrefix("token=sign-in-refresh&token_type_hint=refresh_token"))
        try phone.answer(Phone.revoke, 500)
        #expect(try phone.request(Phone.revoke).text.hasPrefix("token=sign-in-access&token_type_hint=access_token"))
        try phone.fail(Phone.revoke)
        #expect(!phone.isOpen(Phone.revoke), "each is tried once")
    }

    @Test func slowDownAddsFiveSeconds() throws {
        var phone = try Phone.waiting()
        phone.run(for: .seconds(5))
        try phone.answer(Phone.token, 400, ["error": "slow_down"])
        phone.run(for: .milliseconds(9_999))
        #expect(!phone.isOpen(Phone.token))
        phone.run(for: .milliseconds(1))
        try phone.answer(Phone.token, 400, ["error": "authorization_pending"])
        phone.run(for: .milliseconds(9_999))
        #expect(!phone.isOpen(Phone.token), "the longer interval stays")
        phone.run(for: .milliseconds(1))
        try phone.answer(Phone.token, 400, ["error": "slow_down"])
        phone.run(for: .milliseconds(14_999))
        #expect(!phone.isOpen(Phone.token))
    }

    @Test func missingIntervalIsFiveSeconds() throws {
        var phone = try Phone.waiting(["interval": nil])
        phone.run(for: .milliseconds(4_999))
        #expect(!phone.isOpen(Phone.token))
        phone.run(for: .milliseconds(1))
        #expect(phone.isOpen(Phone.token))
    }

    /// A hostile interval neither floods the backend nor stops the phone.
    @Test(arguments: [(0, 1), (1_000_000, 300), (.max, 300)] as [(Int64, Int64)]) func intervalIsBounded(
        _ given: Int64, _ used: Int64
    ) throws {
        var phone = try Phone.waiting(["interval": .integer(given)])
        phone.run(for: .seconds(used) - .milliseconds(1))
        #expect(!phone.isOpen(Phone.token))
        phone.run(for: .milliseconds(1))
        #expect(phone.isOpen(Phone.token))
    }

    @Test func expiredCodeEndsTheSignIn() throws {
        var phone = try Phone.waiting(["expires_in": 12])
        phone.run(for: .seconds(5))
        try phone.answer(Phone.token, 400, ["error": "authorization_pending"])
        phone.run(for: .seconds(5))
        try phone.answer(Phone.token, 400, ["error": "authorization_pending"])
        phone.run(for: .seconds(2))
        #expect(phone.notices == [.signInFailed(.expired)] && !phone.isOpen(Phone.token))
        #expect(phone.machine.signInStatus == .none)
    }

    @Test(
        arguments: [
            ("access_denied", DeviceGrantFailure.denied), ("expired_token", .expired),
            ("invalid_grant", .backend(.api(status: 400, text: "The code was used before."))),
        ])
    func backendEndsTheSignIn(_ error: String, _ failure: DeviceGrantFailure) throws {
        var phone = try Phone.waiting()
        phone.run(for: .seconds(5))
        try phone.answer(
            Phone.token, 400, ["error": .string(error), "error_description": "The code was used before."])
        #expect(phone.notices == [.signInFailed(failure)])
        phone.run(for: .seconds(3_600))
        #expect(!phone.isOpen(Phone.token))
    }

    @Test func cancelledSignInIsForgotten() throws {
        for step in 0...3 {
            var phone = try Phone.restored()
            phone.post(.signIn)
            if step > 0 { try phone.answer(Phone.discovery, 200, Phone.provider) }
            if step > 1 { try phone.answer(Phone.authorise, 200, Phone.code()) }
            if step > 2 { phone.run(for: .seconds(5)) }
            phone.clear()
            phone.post(.cancelSignIn)
            #expect(phone.notices == [.signInFailed(.cancelled)], "step \(step)")
            #expect(phone.open.isEmpty && phone.machine.deadline == nil)
        }
    }

    @Test func lateAnswerIsIgnored() throws {
        var phone = try Phone.waiting()
        phone.run(for: .seconds(5))
        let id = try #require(phone.open.first?.id)
        phone.post(.cancelSignIn)
        phone.clear()
        phone.post(.answered(id, BackendResponse(status: 200, body: Phone.tokens().utf8)))
        #expect(phone.effects.isEmpty && phone.machine.statistics.lateAnswers == 1)
    }

    @Test func pollWithoutAnswerDoublesTheInterval() throws {
        var phone = try Phone.waiting()
        for pause in [5, 10, 20, 40] {
            phone.run(for: .seconds(pause) - .milliseconds(1))
            #expect(!phone.isOpen(Phone.token), "before \(pause) s")
            phone.run(for: .milliseconds(1))
            try phone.fail(Phone.token)
        }
        phone.run(for: .seconds(80))
        try phone.answer(Phone.token, 400, ["error": "authorization_pending"])
        phone.run(for: .seconds(5))
        #expect(phone.isOpen(Phone.token), "an answer restores the interval")
    }

    @Test func askingAgainShowsTheCodeAgain() throws {
        var phone = try Phone.waiting()
        phone.run(for: .seconds(4))
        phone.post(.signIn)
        guard case .signInCode(let code) = phone.notices.first else { throw Phone.Missing(description: "no code") }
        #expect(code.userCode == "WDJB-MJHT" && code.expiresIn == .seconds(596))
        #expect(phone.asked[Phone.authorise] == 1)
    }

    /// A machine without a clock starts in the past, where every certificate is invalid.
    @Test func unsetClockDelaysTheSignIn() throws {
        var phone = try Phone()
        phone.clockError = -Phone.start + 100
        phone.post(.restore(nil, fresh: "urn:uuid:phone"))
        phone.clear()
        phone.post(.signIn)
        #expect(phone.notices == [.signInWaitsForTime] && phone.open.isEmpty)
        #expect(phone.machine.signInStatus == .waitingForTime)
        phone.run(for: .seconds(60))
        #expect(phone.notices == [.signInWaitsForTime], "one notice is enough")
        phone.clockError = 0
        phone.run(for: .seconds(5))
        #expect(phone.isOpen(Phone.discovery))
    }

    @Test func registrationIsTriedAgain() throws {
        var phone = try Phone.confirmed()
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key()]])
        try phone.verify()
        try phone.fail(Phone.devices)
        phone.run(for: .seconds(3))
        try phone.answer(Phone.devices, 503)
        phone.run(for: .seconds(5))
        try phone.answer(Phone.devices, 201, Phone.device())
        #expect(phone.kept?.registration?.id == "dt-3")
    }

    @Test func refusedRegistrationEndsTheSignIn() throws {
        var phone = try Phone.confirmed()
        try phone.answer(Phone.jwks, 200, ["keys": [Phone.key()]])
        try phone.verify()
        phone.clear()
        try phone.answer(
            Phone.devices, 403, ["error": "no_organization", "message": "Alan Turing belongs to no organisation."])
        #expect(
            phone.notices == [
                .signInFailed(.backend(.api(status: 403, text: "Alan Turing belongs to no organisation.")))
            ])
        #expect(phone.isOpen(Phone.revoke) && phone.kept?.registration == nil)
    }

    /// A provider may send name and e-mail with the first ID token only.
    @Test func nameIsKept() throws {
        var phone = try Phone.signedIn()
        phone.post(.signIn)
        try phone.answer(Phone.discovery, 200, Phone.provider)
        try phone.answer(Phone.authorise, 200, Phone.code())
        phone.run(for: .seconds(5))
        let bare = Phone.claims(["name": nil, "email": nil])
        try phone.answer(Phone.token, 200, Phone.tokens(Phone.idToken(bare)))
        try phone.verify()
        try phone.answer(Phone.devices, 201, Phone.device(["user": nil]))
        #expect(phone.kept?.registration?.person.name == "Ada Lovelace")
        #expect(phone.kept?.registration?.person.email == "ada@example.org")
    }

    @Test func anotherUsersNameIsNotKept() throws {
        var phone = try Phone.signedIn()
        phone.post(.signIn)
        try phone.answer(Phone.discovery, 200, Phone.provider)
        try phone.answer(Phone.authorise, 200, Phone.code())
        phone.run(for: .seconds(5))
        let grace = Phone.claims(["sub": "sub-2-grace", "name": nil, "email": nil])
        try phone.answer(Phone.token, 200, Phone.tokens(Phone.idToken(grace)))
        try phone.verify()
        try phone.answer(Phone.devices, 201, Phone.device(["user": nil]))
        #expect(phone.kept?.registration?.person == BackendPerson(subject: "sub-2-grace"))
        #expect(phone.kept?.registration?.organisations == [], "organisations of the former user are gone")
    }

    /// The registration must be that of the person in the ID token.
    @Test func registrationOfAnotherUserIsNotAccepted() throws {
        var phone = try Phone.confirmed()
        phone.clear()
        try phone.finishSignIn(Phone.device(["user": ["sub": "sub-9-mallory"]]))
        #expect(
            phone.notices == [.signInFailed(.backend(.parse(BackendParseFault("user.sub", .mismatch))))])
        #expect(phone.kept?.registration == nil)
    }

    @Test func failedSignInLeavesTheFormerOne() throws {
        var phone = try Phone.signedIn()
        let before = phone.kept
        phone.post(.signIn)
        try phone.answer(Phone.discovery, 200, Phone.provider)
        try phone.answer(Phone.authorise, 200, Phone.code())
        phone.run(for: .seconds(5))
        try phone.answer(Phone.token, 400, ["error": "access_denied"])
        #expect(phone.kept == before && phone.machine.state == before)
    }

    /// An answer to the former device token must not serve the new sign-in.
    @Test func accessTokenOfFormerSignInIsNotUsed() throws {
        var phone = try Phone.signedIn()
        phone.post(.signIn)
        try phone.answer(Phone.discovery, 200, Phone.provider)
        try phone.answer(Phone.authorise, 200, Phone.code())
        phone.run(for: .seconds(5))
        try phone.answer(Phone.token, 200, Phone.tokens())
        // The former token ends now, and its renewal is under way when the sign-in ends.
        phone.now = phone.now + .seconds(860)
        phone.post(.listOrganisations)
        try phone.verify()
        let former = try #require(phone.open.first { Phone.path($0.request) == Phone.accessPath }).id
        try phone.answer(Phone.devices, 201, Phone.device())
        phone.post(.answered(former, BackendResponse(status: 200, body: Phone.grant("former").utf8)))
        try phone.answer(Phone.accessPath, 200, Phone.grant("new"))
        #expect(try phone.request(Phone.organisations).bearer?.reveal() == "new")
    }

    // MARK: Hostile providers

    static let hostileProviders: [(String, JSONValue?, BackendParseFault)] = [
        ("issuer", "https://mallory.example", .init("issuer", .mismatch)),
        ("issuer", nil, .init("issuer", .missing)),
        ("token_endpoint", "http://backend.example/token", .init("token_endpoint", .insecure)),
        ("token_endpoint", "http://localhost:80/token", .init("token_endpoint", .insecure)),
        ("token_endpoint", 7, .init("token_endpoint", .wrongType)),
        ("jwks_uri", "file:///etc/passwd", .init("jwks_uri", .insecure)),
        ("jwks_uri", "https://user:word@backend.example/", .init("jwks_uri", .characters)),
        ("device_authorization_endpoint", nil, .init("device_authorization_endpoint", .missing)),
        ("revocation_endpoint", "http://[::1]/revoke", .init("revocation_endpoint", .insecure)),
        (
            "jwks_uri", .string("https://backend.example/" + String(repeating: "a", count: 1_024)),
            .init("jwks_uri", .tooLong)
        ),
    ]

    @Test(arguments: hostileProviders) func hostileProviderIsRejected(
        _ key: String, _ value: JSONValue?, _ fault: BackendParseFault
    ) throws {
        var phone = try Phone.restored()
        phone.post(.signIn)
        phone.clear()
        try phone.answer(Phone.discovery, 200, Phone.provider.with([key: value]))
        #expect(phone.notices == [.signInFailed(.backend(.parse(fault)))])
        #expect(phone.open.isEmpty)
    }

    static let hostileCodes: [(String, JSONValue?, BackendParseFault)] = [
        ("device_code", nil, .init("device_code", .missing)), ("device_code", "", .init("device_code", .empty)),
        ("device_code", "a b", .init("device_code", .characters)),
        ("user_code", 1_234, .init("user_code", .wrongType)),
        ("user_code", .string(String(repeating: "A", count: 33)), .init("user_code", .tooLong)),
        ("user_code", "AB\u{202E}CD", .init("user_code", .characters)),
        ("verification_uri", "javascript:alert(1)", .init("verification_uri", .insecure)),
        ("verification_uri", "http://backend.example/device", .init("verification_uri", .insecure)),
        ("verification_uri_complete", "https://a/\"onclick", .init("verification_uri_complete", .characters)),
        ("expires_in", nil, .init("expires_in", .missing)), ("expires_in", "600", .init("expires_in", .wrongType)),
        ("expires_in", 0, .init("expires_in", .outOfRange)), ("interval", -1, .init("interval", .outOfRange)),
        ("interval", 1.5, .init("interval", .wrongType)),
    ]

    @Test(arguments: hostileCodes) func hostileCodeIsRejected(
        _ key: String, _ value: JSONValue?, _ fault: BackendParseFault
    ) throws {
        var phone = try Phone.restored()
        phone.post(.signIn)
        try phone.answer(Phone.discovery, 200, Phone.provider)
        phone.clear()
        try phone.answer(Phone.authorise, 200, Phone.code([key: value]))
        #expect(phone.notices == [.signInFailed(.backend(.parse(fault)))])
    }

    /// The code is shown for an hour at most.
    @Test func lifetimeOfCodeIsBounded() throws {
        var phone = try Phone.waiting(["expires_in": .integer(Int64.max), "interval": 300])
        for _ in 0..<11 {
            phone.run(for: .seconds(300))
            try phone.answer(Phone.token, 400, ["error": "authorization_pending"])
        }
        #expect(phone.notices.isEmpty)
        phone.run(for: .seconds(300))
        #expect(phone.notices == [.signInFailed(.expired)])
    }
}
