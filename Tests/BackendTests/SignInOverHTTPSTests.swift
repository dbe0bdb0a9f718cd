import BackendCore
import Base
import Bench
import HostStalls
import JSON
import Rig
import Testing

/// Sign-in at the reference backend, over HTTPS, with its faults.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: BackendServer.isThere, "skipped: the reference backend is missing; run Scripts/setup backend"))
struct SignInOverHTTPSTests {
    @Test(arguments: ["offhook", "offhook-es256"]) func userIsSignedIn(_ client: String) throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server) { $0.clientID = client }
        let code = try phone.beginSignIn()
        #expect(code.address == server.url + "/device" && code.userCode.utf8.count == 9)
        #expect(code.completeAddress == server.url + "/device?user_code=" + code.userCode)
        #expect(try phone.read { $0.signInStatus } != .none)
        try server.order(["do": "approve", "user_code": .string(code.userCode), "user": "ada"])
        let signIn = try phone.wait(for: "sign-in") { if case .signedIn(let signIn) = $0 { signIn } else { nil } }
        #expect(signIn.person == BackendPerson(subject: "sub-1-ada", name: "Ada Lovelace", email: "ada@example.org"))
        #expect(signIn.organisation.id == .number(17) && signIn.credentials?.password.reveal() == "secret-ada-17")
        #expect(
            server.events("device-registered").last?["device_id"] == "urn:uuid:6b0c2b6e-0000-4000-8000-000000000003")
        try server.wait(for: "revoked", times: 2)
        let list = try phone.wait(for: "organisations") {
            if case .organisations(let list, _) = $0 { list } else { nil }
        }
        #expect(list.map(\.id) == [.number(17), .number(42), .text("org_nord")])
        let early = server.events("polled").filter { $0["early"] == true }
        #expect(early.isEmpty, "the phone polls no faster than it may")
        #expect(server.events("fault").isEmpty)
    }

    @Test func deniedSignInFails() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        try phone.beginSignIn()
        try server.order(["do": "deny"])
        #expect(try phone.signInFailure() == .denied)
    }

    @Test func expiredCodeFails() throws {
        let server = try BackendServer()
        try server.order(["do": "settings", "device_code_seconds": 2])
        let phone = try BackendPhone(server)
        try phone.beginSignIn()
        #expect(try phone.signInFailure() == .expired)
    }

    /// A server that asks for slower polls gets them.
    @Test func slowDownIsObeyed() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        try server.order([
            "do": "faults", "fault": "refuse", "status": 400, "error": "slow_down", "path": "/oauth/token", "times": 1,
        ])
        try phone.beginSignIn()
        try server.wait(for: "request", times: 3)
        let polls = { server.events("request").filter { $0["path"] == "/oauth/token" } }
        try server.order(["do": "approve"])
        try phone.wait(for: "sign-in") { if case .signedIn(let signIn) = $0 { signIn } else { nil } }
        let times = polls().compactMap { $0["at"]?.double }
        #expect(times.count == 2)
        if times.count == 2 { #expect((5.5...8).contains(times[1] - times[0])) }
    }

    @Test func cancelledSignInStops() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        try phone.beginSignIn()
        phone.perform { $0.cancelSignIn() }
        #expect(try phone.signInFailure() == .cancelled)
        #expect(try phone.read { $0.signInStatus } == .none)
    }

    // MARK: ID tokens

    static let falsified: [(JSONValue, IDTokenFault?)] = [
        (["signature": "broken"], .signature), (["signature": "other-key"], .signature),
        (["signature": "unknown-kid"], .unknownKey), (["signature": "none"], .algorithm("none")),
        (["signature": "hs256"], .algorithm("HS256")), (["claims": ["aud": "other"]], .audience),
        (["claims": ["iss": "https://mallory.example"]], .issuer("https://mallory.example")),
        (["claims": ["sub": nil]], .malformed(BackendParseFault("id_token.sub", .missing))),
        (["claims": ["exp": "soon"]], .malformed(BackendParseFault("id_token.exp", .wrongType))),
        ([:], nil),
    ]

    @Test(arguments: ["offhook", "offhook-es256"]) func falsifiedTokenIsRejected(_ client: String) throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server) { $0.clientID = client }
        for (change, fault) in Self.falsified {
            guard case .object(var order) = change else { continue }
            (order["do"], order["times"]) = ("id-token", 1)
            if fault == nil { order["times"] = nil }
            try server.order(.object(order))
            try phone.beginSignIn()
            try server.order(["do": "approve"])
            guard let fault else {
                try phone.wait(for: "sign-in") { if case .signedIn(let signIn) = $0 { signIn } else { nil } }
                continue
            }
            #expect(try phone.signInFailure() == .identity(fault))
            #expect(phone.kept?.registration == nil)
        }
    }

    /// A provider that rotates its keys: the phone fetches the new ones once.
    @Test(arguments: [true, false]) func rotatedKeysAreFetched(_ keepsOld: Bool) throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        try phone.signIn(at: server)
        try server.order(["do": "rotate-keys", "keep": .bool(keepsOld)])
        // Keys that were fetched just now are not fetched again.
        phone.leap(.seconds(15))
        try phone.signIn(at: server)
        let fetched = server.events("request").filter { $0["path"] == "/oauth/jwks" }
        #expect(fetched.count == 2)
    }

    @Test func clocksThatDifferAreNamed() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        try server.order(["do": "set-clock", "skew_seconds": 50])
        try phone.signIn(at: server)
        try server.order(["do": "set-clock", "skew_seconds": 600])
        try phone.beginSignIn()
        try server.order(["do": "approve"])
        guard case .identity(.notYetValid(let ahead)) = try phone.signInFailure() else {
            throw BackendPhone.Silence(description: "\(phone.notices)")
        }
        #expect((590...601).contains(ahead))
        try server.order(["do": "set-clock", "skew_seconds": -4_000])
        try phone.beginSignIn()
        try server.order(["do": "approve"])
        guard case .identity(.expired) = try phone.signInFailure() else {
            throw BackendPhone.Silence(description: "\(phone.notices)")
        }
    }

    @Test func phoneWithoutClockWaitsForTime() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        phone.setClockError(.seconds(-86_400 * 365 * 50))
        phone.perform { $0.signIn() }
        #expect(phone.notices == [.signInWaitsForTime])
        phone.setClockError(.zero)
        try phone.wait(for: "code") { if case .signInCode(let code) = $0 { code } else { nil } }
    }

    // MARK: Faults

    static let faults: [(JSONValue, String)] = [
        (["fault": "garbage"], "is not JSON"), (["fault": "empty"], "is not JSON"),
        (["fault": "half-json"], "is not JSON"), (["fault": "wrong-types"], "has a wrong type"),
        (["fault": "oversized"], "is too long"), (["fault": "redirect"], "cannot be reached"),
        (["fault": "refuse", "status": 403, "message": "Not today."], "(403): Not today."),
    ]

    @Test func faultOfEachStepIsTold() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        for path in ["/.well-known", "/oauth/device_authorization"] {
            for (fault, sentence) in Self.faults {
                guard case .object(var order) = fault else { continue }
                (order["do"], order["path"]) = ("faults", .string(path))
                try server.order(.object(order))
                phone.forget()
                phone.perform { $0.signIn() }
                let failure = try phone.signInFailure()
                #expect(failure.sentence.contains(sentence), "\(path), \(fault.text): \(failure.sentence)")
                try server.order(["do": "faults", "clear": true])
            }
        }
    }

    @Test func registrationSurvivesFaults() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        try server.order(["do": "faults", "fault": "reset", "path": "/api/device-tokens", "times": 1])
        try server.order(["do": "faults", "fault": "garbage", "path": "/oauth/jwks", "times": 1])
        #expect(try phone.signIn(at: server).person.name == "Ada Lovelace")
    }

    @Test func userWithoutOrganisationIsToldSo() throws {
        let server = try BackendServer()
        let phone = try BackendPhone(server)
        try phone.beginSignIn()
        try server.order(["do": "approve", "user": "alan"])
        #expect(
            try phone.signInFailure()
                == .backend(.api(status: 403, text: "Alan Turing belongs to no organisation.")))
        try server.wait(for: "revoked", times: 2)
    }

    @Test(arguments: ["expired", "wrong-name", "other-authority"]) func untrustedBackendGetsNothing(
        _ kind: String
    ) throws {
        let server = try BackendServer()
        try server.order(["do": "certificate", "kind": .string(kind), "server": "http"])
        let phone = try BackendPhone(server)
        phone.perform { $0.signIn() }
        guard case .backend(.network) = try phone.signInFailure() else {
            throw BackendPhone.Silence(description: "\(phone.notices)")
        }
        #expect(server.events("request").isEmpty)
    }
}
