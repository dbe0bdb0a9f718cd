import BackendCore
import Base
import JSON
import Testing

/// Access tokens: one renewal at a time, before they end, and after a 401.
@Suite struct AccessTokenTests {
    @Test func tokenIsRenewedBeforeItEnds() throws {
        var phone = try Phone.signedIn()
        phone.run(for: .seconds(779))
        #expect(!phone.isOpen(Phone.accessPath))
        phone.run(for: .seconds(1))
        #expect(phone.isOpen(Phone.accessPath), "the tokens of 900 s are renewed after 780 s")
        // Until the new one is there, the former one serves.
        phone.post(.listOrganisations)
        #expect(try phone.request(Phone.organisations).bearer?.reveal() == Phone.access)
        try phone.answer(Phone.accessPath, 200, Phone.grant("access-token-2"))
        phone.post(.renewCredentials)
        #expect(try phone.request(Phone.credentials).bearer?.reveal() == "access-token-2")
    }

    @Test func requestsWaitForOneRenewal() throws {
        var phone = try Phone.signedIn()
        phone.now = phone.now + .seconds(850)
        phone.post(.listOrganisations)
        phone.post(.renewCredentials)
        phone.post(.switchOrganisation("42"))
        #expect(phone.asked == [Phone.accessPath: 1])
        try phone.answer(Phone.accessPath, 200, Phone.grant("access-token-2"))
        for path in [Phone.organisations, Phone.credentials, Phone.switching] {
            #expect(try phone.request(path).bearer?.reveal() == "access-token-2")
        }
        #expect(phone.asked[Phone.accessPath] == 1)
    }

    @Test func waitForTokenIsBounded() throws {
        var phone = try Phone.signedIn()
        phone.now = phone.now + .seconds(850)
        phone.post(.switchOrganisation("42"))
        phone.clear()
        phone.run(for: .milliseconds(3_999))
        #expect(phone.notices.isEmpty)
        phone.run(for: .milliseconds(1))
        #expect(phone.notices == [.switchFailed(.timeout, target: "42")])
        try phone.answer(Phone.accessPath, 200, Phone.grant())
        #expect(!phone.isOpen(Phone.switching), "nobody waits any more")
    }

    @Test func refusedTokenIsRenewedOnce() throws {
        var phone = try Phone.signedIn()
        phone.post(.listOrganisations)
        try phone.answer(Phone.organisations, 401, ["error": "invalid_token", "message": "The token ended."])
        #expect(phone.notices.isEmpty)
        try phone.answer(Phone.accessPath, 200, Phone.grant("access-token-2"))
        #expect(try phone.request(Phone.organisations).bearer?.reveal() == "access-token-2")
        try phone.answer(Phone.organisations, 200, Phone.list)
        #expect(phone.notices.count == 1 && !phone.machine.isSignInNeeded)
    }

    @Test func secondRefusalAsksForSignIn() throws {
        var phone = try Phone.signedIn()
        phone.post(.listOrganisations)
        try phone.answer(Phone.organisations, 401)
        try phone.answer(Phone.accessPath, 200, Phone.grant("access-token-2"))
        try phone.answer(Phone.organisations, 401)
        #expect(
            phone.notices == [
                .signInNeeded(.accessTokenRefused), .organisationsFailed(.api(status: 401, text: "")),
            ])
        #expect(phone.machine.isSignInNeeded && phone.open.isEmpty)
        phone.clear()
        phone.run(for: .seconds(86_400 * 60))
        #expect(phone.notices.isEmpty && phone.asked[Phone.accessPath] == 1, "the phone waits for a person")
    }

    @Test func refusedDeviceTokenAsksForSignInOnce() throws {
        var phone = try Phone.signedIn()
        phone.now = phone.now + .seconds(850)
        phone.post(.switchOrganisation("42"))
        try phone.answer(
            Phone.accessPath, 401, ["error": "invalid_device_token", "message": "This phone is signed out."])
        #expect(
            phone.notices == [.signInNeeded(.deviceTokenRefused), .switchFailed(.signInNeeded, target: "42")])
        phone.clear()
        phone.post(.switchOrganisation("42"))
        try phone.answer(Phone.accessPath, 401)
        #expect(phone.notices == [.switchFailed(.signInNeeded, target: "42")], "the person knows it already")
    }

    @Test func backendThatAcceptsAgainNeedsNoSignIn() throws {
        var phone = try Phone.signedIn()
        phone.now = phone.now + .seconds(850)
        phone.post(.listOrganisations)
        try phone.answer(Phone.accessPath, 401)
        #expect(phone.machine.isSignInNeeded)
        phone.post(.listOrganisations)
        try phone.answer(Phone.accessPath, 200, Phone.grant())
        #expect(!phone.machine.isSignInNeeded && phone.isOpen(Phone.organisations))
    }

    /// A 401 for a replaced token must not drop the new one.
    @Test func lateRefusalKeepsTheNewToken() throws {
        var phone = try Phone.signedIn()
        phone.run(for: .seconds(779))
        phone.post(.listOrganisations)
        phone.run(for: .seconds(1))
        try phone.answer(Phone.accessPath, 200, Phone.grant("access-token-2"))
        try phone.answer(Phone.organisations, 401)
        #expect(try phone.request(Phone.organisations).bearer?.reveal() == "access-token-2")
        #expect(phone.asked[Phone.accessPath] == 1)
    }

    @Test func failedRenewalIsRepeatedWithGrowingPauses() throws {
        var phone = try Phone.signedIn()
        phone.run(for: .seconds(780))
        var pauses: [Duration] = []
        for _ in 0..<12 {
            try phone.fail(Phone.accessPath)
            let from = phone.now
            while !phone.isOpen(Phone.accessPath) {
                phone.now = try #require(phone.machine.deadline)
                phone.post(.deadline)
            }
            pauses.append(phone.now - from)
        }
        #expect(pauses[0] < .seconds(7) && pauses[3] > .seconds(29))
        let (longest, last) = (try #require(pauses.max()), try #require(pauses.last))
        #expect(longest <= .seconds(1_125) && last >= .seconds(675), "\(pauses)")
    }

    @Test func changedNetworkEndsThePause() throws {
        var phone = try Phone.signedIn()
        phone.run(for: .seconds(780))
        for _ in 0..<6 {
            try phone.fail(Phone.accessPath)
            while !phone.isOpen(Phone.accessPath) { phone.run(for: .seconds(1)) }
        }
        try phone.fail(Phone.accessPath)
        phone.post(.networkStirred)
        phone.run(for: .seconds(2))
        #expect(phone.isOpen(Phone.accessPath))
    }

    @Test func retryAfterIsHonoured() throws {
        var phone = try Phone.signedIn()
        phone.run(for: .seconds(780))
        try phone.answer(Phone.accessPath, 503, retryAfter: .seconds(600))
        phone.run(for: .seconds(599))
        #expect(!phone.isOpen(Phone.accessPath))
        phone.run(for: .seconds(1))
        #expect(phone.isOpen(Phone.accessPath))
        try phone.answer(Phone.accessPath, 503, retryAfter: .seconds(86_400 * 365))
        phone.run(for: .seconds(3_600))
        #expect(phone.isOpen(Phone.accessPath), "an hour at most")
    }

    /// A backend with tokens of one second must not be flooded.
    @Test func shortTokensDoNotFloodTheBackend() throws {
        var phone = try Phone.signedIn()
        phone.run(for: .seconds(780))
        for _ in 0..<10 {
            try phone.answer(Phone.accessPath, 200, Phone.grant(seconds: 1))
            phone.run(for: .seconds(29))
            #expect(!phone.isOpen(Phone.accessPath))
            phone.run(for: .seconds(1))
        }
    }

    static let grants: [(JSONValue, BackendParseFault)] = [
        (["token_type": "Bearer", "expires_in": 900], .init("access_token", .missing)),
        (Phone.grant("a\r\nHost: mallory"), .init("access_token", .characters)),
        (Phone.grant(String(repeating: "a", count: 4_097)), .init("access_token", .tooLong)),
        (Phone.grant().with(["access_token": 7]), .init("access_token", .wrongType)),
        (Phone.grant().with(["token_type": "MAC"]), .init("token_type", .unknownValue)),
        (Phone.grant().with(["expires_in": nil]), .init("expires_in", .missing)),
        (Phone.grant().with(["expires_in": "900"]), .init("expires_in", .wrongType)),
        (Phone.grant(seconds: 0), .init("expires_in", .outOfRange)), ([], .init("", .wrongType)),
    ]

    @Test(arguments: grants) func invalidGrantIsNamed(_ grant: JSONValue, _ fault: BackendParseFault) throws {
        var phone = try Phone.signedIn()
        phone.now = phone.now + .seconds(850)
        phone.post(.listOrganisations)
        try phone.answer(Phone.accessPath, 200, grant)
        #expect(phone.notices == [.organisationsFailed(.parse(fault))])
    }

    @Test func phoneWithoutBackendNeverWakes() throws {
        var phone = try Phone.restored()
        #expect(phone.machine.deadline == nil && phone.open.isEmpty)
        phone.post(.listOrganisations)
        #expect(phone.notices == [.organisationsFailed(.signInNeeded)])
    }
}
