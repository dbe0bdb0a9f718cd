import Base
import JSON
import LineCore
import Testing

/// A Verto line that changes its credentials while its session is up, being opened, or refused.
@Suite("Verto lines that change their account")
struct VertoReconfigureTests {
    typealias Ground = VertoGround
    private let leg = CallID(.phone, 1)
    private let own = AccountCredentials(user: "101", password: Redacted("secret"))
    private let bert = AccountCredentials(user: "105", password: Redacted("pw"), callerName: "Bert")

    private func registrations(_ ground: Ground) -> [RegistrationState] {
        ground.outputs.compactMap { if case .event(.registration(_, let state)) = $0 { state } else { nil } }
    }

    private func isRefused(_ ground: Ground) -> Bool {
        if case .failed? = registrations(ground).last { true } else { false }
    }

    /// The server refuses the login that left with the last input.
    private func refuse(_ ground: inout Ground) throws {
        let login = try #require(ground.frames.last)
        #expect(login["method"] == "login")
        ground.say([
            "jsonrpc": "2.0", "id": try #require(login["id"]),
            "error": ["code": -32_001, "message": "Login Incorrect"],
        ])
    }

    @Test func newPasswordOfSameUserLogsInAndKeepsCall() throws {
        var ground = try Ground()
        let call = try ground.talk(leg)
        ground.post(.command(.reconfigure(.direct, AccountCredentials(user: "101", password: Redacted("new")))))
        #expect(registrations(ground) == [.registering], "it is not registered before the server has said so")
        #expect(ground.outputs.contains(.abandon(Ground.flow)))
        #expect(ground.frames.isEmpty, "no BYE")
        ground.post(.located(Ground.server, [Ground.flow]))
        let login = try #require(ground.frames.last?["params"])
        #expect(login["passwd"] == "new" && login["reconnection"] == true, "the server knows the session")
        try ground.finishLogin(reattached: [call])
        #expect(registrations(ground) == [.registered])
        try ground.offer("attach", call)
        #expect(ground.renegotiated(leg) != nil, "the server gave the call back")
    }

    @Test func wrongPasswordFailsAndOldOneGetsCallBack() throws {
        var ground = try Ground()
        let call = try ground.talk(leg)
        ground.post(.command(.reconfigure(.direct, AccountCredentials(user: "101", password: Redacted("wrong")))))
        ground.post(.located(Ground.server, [Ground.flow]))
        try refuse(&ground)
        #expect(isRefused(ground))
        ground.post(.command(.reconfigure(.direct, own)))
        #expect(ground.outputs.contains(.locate(Ground.server, [])), "at once, without the pause after a refusal")
        ground.post(.located(Ground.server, [Ground.flow]))
        #expect(ground.frames.last?["params"]?["passwd"] == "secret")
        try ground.finishLogin(reattached: [call])
        #expect(registrations(ground) == [.registered])
        try ground.offer("attach", call)
        #expect(ground.renegotiated(leg) != nil)
    }

    @Test(arguments: ["connecting", "authenticating", "refused", "registered"])
    func oldAccountLogsInFromEveryState(state: String) throws {
        var ground = try Ground()
        try ground.register()
        ground.post(.command(.reconfigure(.direct, bert)))
        if state != "connecting" { ground.post(.located(Ground.server, [Ground.flow])) }
        if state == "refused" { try refuse(&ground) }
        if state == "registered" {
            try ground.finishLogin()
            #expect(registrations(ground) == [.registered])
        }
        ground.post(.command(.reconfigure(.direct, own)))
        #expect(registrations(ground) == [.registering])
        ground.post(.located(Ground.server, [Ground.flow]))
        #expect(ground.frames.last?["params"]?["login"] == "101")
        #expect(ground.frames.last?["params"]?["passwd"] == "secret")
        try ground.finishLogin()
        #expect(registrations(ground) == [.registered])
        ground.post(.command(.dial(leg, target: "102", account: .direct, MediaEndpoint(port: 4_000))))
        let dialog = try #require(ground.frames.last?["params"]?["dialogParams"])
        #expect(dialog["caller_id_name"] != "Bert" && dialog["caller_id_number"] == "101")
    }

    @Test func credentialsThatServerHasAcceptedCauseNoLogin() throws {
        var ground = try Ground()
        _ = try ground.talk(leg)
        ground.post(.command(.reconfigure(.direct, own)))
        #expect(registrations(ground) == [.registered], "the result is reported, though it is the same")
        #expect(!ground.outputs.contains(.abandon(Ground.flow)))
    }

    @Test func otherUserEndsFormerUsersCallInEveryState() throws {
        for isLost in [false, true] {
            var ground = try Ground()
            _ = try ground.talk(leg)
            if isLost { ground.lose() }
            ground.post(.command(.reconfigure(.direct, bert)))
            #expect(ground.outputs.contains(.event(.ended(leg, .hungUpHere))))
            ground.post(.located(Ground.server, [Ground.flow]))
            #expect(ground.frames.last?["params"]?["login"] == "105")
            #expect(ground.frames.last?["params"]?["reconnection"] == nil, "it is no session of this user")
        }
    }

    @Test func configuredTokenComesBackWithItsUser() throws {
        var ground = try Ground(token: "t0k3n") { $0.account?.password = nil }
        try ground.register()
        ground.post(.command(.reconfigure(.direct, bert)))
        ground.post(.located(Ground.server, [Ground.flow]))
        #expect(ground.frames.last?["params"]?["login_token"] == nil)
        try ground.finishLogin()
        ground.post(.command(.reconfigure(.direct, AccountCredentials(user: "101", password: Redacted("")))))
        ground.post(.located(Ground.server, [Ground.flow]))
        #expect(ground.frames.last?["params"]?["login_token"] == "t0k3n")
        #expect(ground.frames.last?["params"]?["passwd"] == nil)
    }
}
