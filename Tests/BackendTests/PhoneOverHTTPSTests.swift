import BackendCore
import Base
import Bench
import HostStalls
import JSON
import Rig
import Testing

/// A signed-in phone at the reference backend, over HTTPS, with its faults.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: BackendServer.isThere, "skipped: the reference backend is missing; run Scripts/setup backend"))
struct PhoneOverHTTPSTests {
    private func signedIn(broker: Bool = false) throws -> (BackendServer, BackendPhone) {
        let server = try BackendServer(broker: broker)
        let phone = try BackendPhone(server)
        try phone.signIn(at: server)
        try phone.wait(for: "organisations") { if case .organisations = $0 { true } else { nil } }
        return (server, phone)
    }

    // MARK: Organisations

    @Test func organisationIsSwitched() throws {
        let (server, phone) = try signedIn()
        for (target, user) in [("42", "ada-42"), ("org_nord", "ada-org_nord"), ("17", "ada-17")] {
            let credentials = try phone.switchOrganisation(to: target).get()
            #expect(credentials.organisation.id.description == target)
            #expect(credentials.user == user)
            try phone.waitUntilKept { $0.registration?.current.id.description == target }
        }
        #expect(server.events("switched").compactMap { $0["target"] } == [42, "org_nord", 17])
        #expect(
            try phone.switchOrganisation(to: "99")
                == .failure(
                    .api(status: 403, text: "Ada Lovelace does not belong to 99.")))
        #expect(phone.kept?.registration?.current.id == .number(17))
    }

    @Test func failureOfASwitchHasItsKind() throws {
        let (server, phone) = try signedIn()
        func kind(_ fault: JSONValue) throws -> String {
            guard case .object(var order) = fault else { return "" }
            (order["do"], order["path"]) = ("faults", "/api/voip/switch-org")
            try server.order(.object(order))
            defer { _ = try? server.order(["do": "faults", "clear": true]) }
            guard case .failure(let failure) = try phone.switchOrganisation(to: "42") else { return "none" }
            return failure.kind
        }
        #expect(try kind(["fault": "refuse", "status": 500]) == "api")
        #expect(try kind(["fault": "garbage"]) == "parse")
        #expect(try kind(["fault": "empty"]) == "parse")
        #expect(try kind(["fault": "half-json"]) == "parse")
        #expect(try kind(["fault": "wrong-types"]) == "parse")
        for key in ["sip_username", "sip_password", "organization_id"] {
            #expect(try kind(["fault": "wrong-types", "keys": [.string(key)]]) == "parse", "\(key)")
        }
        #expect(try kind(["fault": "oversized"]) == "parse")
        #expect(try kind(["fault": "redirect", "to": "other-host"]) == "network")
        #expect(["network", "timeout"].contains(try kind(["fault": "half-body"])))
        #expect(["network", "timeout"].contains(try kind(["fault": "reset"])))
        #expect(phone.kept?.registration?.current.id == .number(17), "nothing has changed")
    }

    @Test func slowSwitchEndsAfterFourSeconds() throws {
        let (server, phone) = try signedIn()
        try server.order(["do": "faults", "fault": "slow", "seconds": 8, "path": "/api/voip", "times": 1])
        let start = MonotonicTime.now
        #expect(try phone.switchOrganisation(to: "42") == .failure(.timeout))
        let took = MonotonicTime.now - start
        #expect((.milliseconds(3_900)...Duration.milliseconds(4_500)).contains(took), "\(took)")
        // The connection of the slow answer does not block the next request.
        #expect(try phone.switchOrganisation(to: "org_nord").get().user == "ada-org_nord")
    }

    @Test func rollBackIsToldToTheBackend() throws {
        let (server, phone) = try signedIn()
        _ = try phone.switchOrganisation(to: "42").get()
        phone.perform { $0.rolledBack(to: "17") }
        let last = try server.wait(for: "switched", times: 2)
        #expect(last["target"] == 17)
        try phone.waitUntilKept { $0.registration?.current.id == .number(17) }
    }

    // MARK: Tokens

    @Test func endedAccessTokenIsRenewedOnce() throws {
        let (server, phone) = try signedIn()
        let before = server.events("token-issued").count
        try server.order(["do": "revoke", "user": "ada", "what": "access"])
        #expect(try phone.switchOrganisation(to: "42").get().user == "ada-42")
        #expect(server.events("token-issued").count == before + 1)
    }

    @Test func revokedPhoneAsksForSignIn() throws {
        let (server, phone) = try signedIn()
        let device = try #require(phone.kept?.registration?.id)
        try server.order(["do": "revoke", "device": .string(device), "what": "all"])
        #expect(try phone.switchOrganisation(to: "42") == .failure(.signInNeeded))
        #expect(phone.notices.contains(.signInNeeded(.deviceTokenRefused)))
        #expect(try phone.read { $0.isSignInNeeded })
        // The phone can be signed in again, and has its name at the backend still.
        try phone.signIn(at: server)
        #expect(try phone.switchOrganisation(to: "42").get().user == "ada-42")
        #expect(try !phone.read { $0.isSignInNeeded })
    }

    /// Tokens that end while the phone works are renewed before, so that no request is refused.
    @Test func shortTokensAreRenewedInTime() throws {
        let server = try BackendServer()
        try server.order(["do": "settings", "phone_token_seconds": 2])
        let phone = try BackendPhone(server)
        try phone.signIn(at: server)
        let end = MonotonicTime.now + .seconds(5)
        while MonotonicTime.now < end {
            phone.forget()
            phone.perform { $0.listOrganisations() }
            try phone.wait(for: "organisations") { if case .organisations = $0 { true } else { nil } }
            MonotonicTime.sleep(.milliseconds(150))
        }
        let refused = server.events("request").filter { $0["status"] == 401 }
        #expect(refused.isEmpty, "\(refused.map(\.text))")
        #expect((3...6).contains(server.events("token-issued").count))
    }

    // MARK: Credentials and caller info

    @Test func credentialsAreRenewed() throws {
        let (server, phone) = try signedIn()
        phone.forget()
        phone.perform { $0.renewCredentials() }
        let renewed = try phone.wait(for: "renewal") { if case .credentialsRenewed(let new) = $0 { new } else { nil } }
        #expect(renewed.password.reveal() == "secret-ada-17-2")
        #expect(server.events("credentials-renewed").count == 1)
    }

    @Test func credentialsOfThirtyDaysAreRenewedByThemselves() throws {
        let (server, phone) = try signedIn()
        defer { withExtendedLifetime(server) {} }
        phone.setClockError(.seconds(86_400 * 31))
        phone.leap(.seconds(3_700))
        phone.forget()
        phone.perform { $0.networkStirred() }
        let renewed = try phone.wait(for: "renewal") { if case .credentialsRenewed(let new) = $0 { new } else { nil } }
        #expect(renewed.password.reveal() == "secret-ada-17-2")
    }

    @Test func pushRegistrationIsReportedAndRenewed() throws {
        let (server, phone) = try signedIn(broker: true)
        guard server.hasBroker else { return print("skipped: mosquitto is missing") }
        let push = try #require(phone.kept?.registration?.push)
        #expect(push.topic == "phones/\(phone.kept?.registration?.id ?? "")/caller-info" && push.password != nil)
        phone.perform { $0.reportVoidPush("SUBACK 0x87: not authorized") }
        let void = try server.wait(for: "push-void")
        #expect(void["id"] == .string(push.id) && void["reason"] == "SUBACK 0x87: not authorized")
        try phone.waitUntilKept { $0.registration?.push == nil }
        phone.leap(.seconds(700))
        phone.perform { $0.networkStirred() }
        try phone.waitUntilKept { $0.registration?.push.map { $0.id != push.id } ?? false }
    }

    // MARK: Sign-out, restart, network

    @Test func signOutDeletesAndWipes() throws {
        let (server, phone) = try signedIn()
        let device = try #require(phone.kept?.registration?.id)
        phone.perform { $0.signOut() }
        #expect(try phone.wait(for: "sign-out") { if case .signedOut(let isDeleted) = $0 { isDeleted } else { nil } })
        #expect(server.events("device-deleted").last?["device"] == .string(device))
        #expect(phone.wipes == 1 && phone.kept?.registration == nil)
    }

    @Test func signOutAtADeadBackendWipes() throws {
        let (server, phone) = try signedIn()
        server.stop()
        let start = MonotonicTime.now
        phone.perform { $0.signOut() }
        #expect(try !phone.wait(for: "sign-out") { if case .signedOut(let isDeleted) = $0 { isDeleted } else { nil } })
        #expect(MonotonicTime.now - start < .milliseconds(5_500) && phone.wipes == 1)
    }

    @Test func restartedPhoneNeedsNoSignIn() throws {
        let server = try BackendServer()
        var state: BackendState?
        do {
            let phone = try BackendPhone(server)
            try phone.signIn(at: server)
            state = try BackendState(secretText: try #require(phone.kept).secretText)
        }
        let phone = try BackendPhone(server, state: state)
        #expect(try phone.switchOrganisation(to: "org_nord").get().user == "ada-org_nord")
        #expect(server.events("signed-in").count == 1)
    }

    @Test func backendThatComesBackIsFound() throws {
        let (server, phone) = try signedIn()
        server.stop()
        guard case .failure(.network) = try phone.switchOrganisation(to: "42") else {
            throw BackendPhone.Silence(description: "\(phone.notices)")
        }
        try server.startAgain()
        phone.perform { $0.networkStirred() }
        #expect(try phone.switchOrganisation(to: "42").get().user == "ada-42")
    }
}
