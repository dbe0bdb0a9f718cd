import BackendCore
import Base
import JSON
import Testing

/// What is kept, and how texts of the backend are read.
@Suite struct StateTests {
    @Test func stateSurvivesTheVault() throws {
        let state = try #require(try Phone.signedIn().kept)
        #expect(try BackendState(secretText: state.secretText) == state)
        let bare = BackendState(deviceID: "urn:uuid:1")
        #expect(try BackendState(secretText: bare.secretText) == bare)
    }

    /// What a backend may send must never make the state unreadable.
    @Test func largestStateSurvivesTheVault() throws {
        let text = JSONValue.string(String(repeating: "\"", count: 100))
        let organisations = (0..<100).map { number -> JSONValue in
            ["id": .integer(number), "name": text, "slug": text, "channel_number": text]
        }
        let list: JSONValue = ["organizations": .array(organisations)]
        #expect((64_000...BackendLimits.bodyBytes).contains(list.utf8.count))
        var phone = try Phone.signedIn()
        phone.post(.listOrganisations)
        try phone.answer(Phone.organisations, 200, list)
        let state = try #require(phone.kept)
        #expect(state.registration?.organisations.count == 100)
        #expect(try BackendState(secretText: state.secretText) == state)
    }

    @Test func stateOfAMachineWithoutClockSurvives() throws {
        var phone = try Phone.signedIn()
        phone.clockError = -2 * Phone.start
        phone.post(.renewCredentials)
        try phone.answer(Phone.credentials, 200, Phone.account())
        phone.post(.credentialsKept(of: "17"))
        let state = try #require(phone.kept)
        #expect(state.registration?.credentialTimes.issuedAt == 0)
        #expect(try BackendState(secretText: state.secretText) == state)
    }

    @Test func invalidStateIsRejected() throws {
        let state = try #require(try Phone.signedIn().kept)
        let whole = unsafe state.secretText.withBytes { unsafe Array($0) }
        for end in 0..<whole.count {
            #expect(throws: BackendParseFault.self) {
                try BackendState(secretText: SecretBytes(Array(whole[..<end])))
            }
        }
        #expect(throws: BackendParseFault("version", .unknownValue)) {
            try BackendState(secretText: SecretBytes(Array(#"{"version":2,"device_id":"a"}"#.utf8)))
        }
    }

    /// The configuration names another backend now: it must not get the device token.
    @Test func deviceTokenIsShownToItsBackendOnly() throws {
        let state = try #require(try Phone.signedIn().kept)
        let other = try BackendURL("https://backend.example:8443")
        var phone = try Phone.restored(state) { $0.base = other }
        #expect(phone.notices == [.signInNeeded(.otherBackend)] && phone.machine.isSignInNeeded)
        phone.post(.switchOrganisation("42"))
        #expect(phone.notices.last == .switchFailed(.signInNeeded, target: "42"))
        phone.run(for: .seconds(86_400 * 60))
        #expect(phone.open.isEmpty)
        phone.post(.signOut)
        #expect(phone.effects.contains(.wipe) && phone.open.isEmpty)
    }

    @Test func secretsAreNeverPrinted() throws {
        let state = try #require(try Phone.signedIn().kept)
        var printed = "\(state)"
        dump(state, to: &printed)
        var phone = try Phone.confirmed()
        try phone.finishSignIn()
        phone.post(.listOrganisations)
        printed += "\(phone.effects) \(phone.machine)"
        for secret in [
            Phone.deviceToken, "secret-ada-17", "mqtt-secret", "sign-in-access", "sign-in-refresh", "device-code-1",
            Phone.idToken(),
        ] {
            #expect(!printed.contains(secret), "\(secret)")
        }
    }

    @Test(
        arguments: [
            ("https://a.example", nil), ("https://a.example:8443/path", nil), ("HTTPS://A.example/", nil),
            ("http://localhost:8400", nil), ("http://127.0.0.9", nil), ("http://[::1]:80/x", nil),
            ("https://[2001:db8::1]", nil), ("http://a.example", .clear), ("http://127.0.0.1.example", .clear),
            ("http://localhost.example", .clear), ("http://127.1", .clear), ("http://128.0.0.1", .clear),
            ("ftp://a", .notAbsolute), ("//a", .notAbsolute), ("https://", .notAbsolute), ("https:///p", .notAbsolute),
            ("https://a:0", .notAbsolute), ("https://a:65536", .notAbsolute), ("https://a:b", .notAbsolute),
            ("https://a:+80", .notAbsolute), ("http://127.+1.0.1", .clear),
            ("https://[::1", .notAbsolute), ("https://user@a", .userInfo), ("https://a/#x", .fragment),
            ("https://a/ b", .characters), ("https://a/\u{E9}", .characters), ("https://a/\\b", .characters),
            ("https://a/\r\nb", .characters),
        ] as [(String, BackendURL.Fault?)])
    func addressIsCheckedStrictly(_ text: String, _ fault: BackendURL.Fault?) {
        let result = Result { () throws(BackendURL.Fault) in try BackendURL(text) }
        switch result {
        case .success(let url): #expect(fault == nil && url.text == text)
        case .failure(let found): #expect(found == fault)
        }
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-28T06:40:19Z", 1_795_848_019),
            ("2026-11-28t06:40:19.999z", 1_795_848_019), ("2026-11-28T07:40:19+01:00", 1_795_848_019),
            ("2024-02-29T00:00:00Z", 1_709_164_800), ("2000-03-01 00:00:00Z", 951_868_800),
            ("9999-12-31T23:59:59-00:00", 253_402_300_799), ("2023-02-29T00:00:00Z", nil),
            ("2100-02-29T00:00:00Z", nil),
            ("1969-12-31T23:59:59Z", nil),
            ("1970-01-01T00:00:00+00:01", nil), ("2026-13-01T00:00:00Z", nil), ("2026-11-31T00:00:00Z", nil),
            ("2026-11-28T24:00:00Z", nil), ("2026-11-28T06:40:19", nil), ("2026-11-28", nil), ("", nil),
            ("2026-11-28T06:40:19Z ", nil), ("2026-11-28T06:40:19.Z", nil), ("2026-11-28T06:40:19+1:00", nil),
            ("-026-11-28T06:40:19Z", nil), ("2026-11-28T06:40:61Z", nil),
        ] as [(String, Int64?)])
    func timeIsRead(_ text: String, _ seconds: Int64?) { #expect(Int64(rfc3339: text) == seconds) }

    /// Whatever a stranger sends in whatever order: no trap, few open requests, few deadlines.
    @Test(arguments: 0..<20) func randomEventsStayBounded(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var phone = try seed % 2 == 0 ? Phone.signedIn() : Phone.restored()
        let bodies: [JSONValue] = [
            Phone.provider, Phone.code(), Phone.tokens(), ["keys": [Phone.key()]], Phone.device(), Phone.grant(),
            Phone.list, Phone.account(), Phone.push(), [], 7, .null, Phone.account(42),
        ]
        for _ in 0..<3_000 {
            switch Int.random(in: 0..<14, using: &generator) {
            case 0: phone.post(.signIn)
            case 1: if Int.random(in: 0..<8, using: &generator) == 0 { phone.post(.cancelSignIn) }
            case 2: if Int.random(in: 0..<16, using: &generator) == 0 { phone.post(.signOut) }
            case 3: phone.post(.listOrganisations)
            case 4:
                phone.post(.switchOrganisation(["17", "42", "org_nord", ""].randomElement(using: &generator) ?? ""))
            case 5: phone.post(.renewCredentials)
            case 6: phone.post(.pushRefused("no"))
            case 7: phone.post(.rolledBack(to: "17"))
            case 8: phone.post(.networkStirred)
            case 9: try? phone.verify(Bool.random(using: &generator))
            case 10: phone.run(for: .seconds(Int.random(in: 0..<2_000, using: &generator)))
            default:
                guard let open = phone.open.randomElement(using: &generator) else { continue }
                phone.open.removeAll { $0.id == open.id }
                let body = bodies.randomElement(using: &generator) ?? .null
                let status = [200, 200, 200, 201, 204, 304, 400, 401, 403, 500].randomElement(using: &generator) ?? 200
                phone.post(.answered(open.id, BackendResponse(status: status, body: body.utf8)))
            }
            phone.clear()
        }
        #expect(phone.mostOpen <= 10, "\(phone.mostOpen)")
        #expect(phone.machine.statistics.failures.count <= 7)
        #expect(phone.machine.openRequests == phone.open.count)
    }
}
