import Base
import Control
import PhoneCore
import Testing
import Vault
import offhook

/// What becomes of the texts that a person types for an account: by commands, setup and the control interface alike.
@Suite struct AccountDraftTests {
    private static func draft(_ change: (inout AccountDraft) -> Void = { _ in }) -> AccountDraft {
        var draft = AccountDraft(label: "office")
        (draft.user, draft.server) = ("101", "pbx.example")
        change(&draft)
        return draft
    }

    /// The account that changes start from.
    private static func present(_ change: (inout Account) -> Void = { _ in }) -> Account {
        var account = Account(
            label: "office", user: "101", authUser: "a101", displayName: "Office", server: "pbx.example", port: 5_061,
            transport: .tls, domain: "example.org", password: Redacted("s3cret"))
        account.trust.proof = LineTrust.Proof(.sha2, hasClientNonce: true)
        change(&account)
        return account
    }

    @Test func kindDecidesWhatIsUsual() throws {
        let sip = try Self.draft().account()
        #expect(sip.transport == .udp && sip.protection == .mandatory && sip.ice == Account.ICE() && sip.registers)
        let verto = try Self.draft { $0.kind = "verto" }.account()
        #expect(verto.transport == .wss && verto.protection == .dtls && verto.ice == Account.ICE(.always))
    }

    @Test(arguments: [(nil, "rtc.telnyx.com"), ("eu.rtc.telnyx.com", "eu.rtc.telnyx.com")])
    func telnyxHasItsUsualServers(named: String?, server: String) throws {
        let account = try Self.draft { ($0.kind, $0.server) = ("telnyx", named) }.account()
        #expect(account.server == server && account.port == nil && account.path == "/" && account.transport == .wss)
        #expect(
            account.ice.policy == .always && account.ice.servers.map(\.host) == ["stun.telnyx.com", "turn.telnyx.com"])
        #expect(account.ice.servers.last?.transport == .tcp && account.ice.servers.last?.user == "testuser")
    }

    /// Telnyx's relays know no accounts of others.
    @Test func otherServerOfTelnyxKindHasNoUsualRelays() throws {
        let account = try Self.draft { ($0.kind, $0.server) = ("telnyx", "rtc.telnyx.com.example") }.account()
        #expect(account.ice.servers.isEmpty)
        let own = try Self.draft { ($0.kind, $0.server, $0.stun) = ("telnyx", nil, "stun.example") }.account()
        #expect(own.ice.servers.map(\.host) == ["stun.example", "turn.telnyx.com"])
    }

    private static let wrong: [(AccountDraft.Field, @Sendable (inout AccountDraft) -> Void)] = [
        (.label, { $0.label = "" }), (.label, { $0.label = "known" }), (.label, { $0.label = "a\u{7}b" }),
        (.user, { $0.user = nil }), (.user, { $0.user = "101@pbx" }), (.server, { $0.server = nil }),
        (.server, { $0.server = "pbx:0" }), (.server, { $0.server = "pbx/path" }),
        (.domain, { $0.domain = "pbx:5060" }),
        (.displayName, { $0.displayName = "\n" }), (.token, { $0.token = Redacted("t0k3n") }),
        (.password, { $0.password = Redacted("a\u{1B}b") }), (.ice, { ($0.ice, $0.stun) = ("off", "stun.example") }),
        (.turn, { $0.ice = "relayed" }), (.turn, { $0.turn = "turn.example" }), (.stun, { $0.stun = "a b c d e" }),
        (.turnPassword, { $0.turn = "me@turn.example" }), (.turnPassword, { $0.turnPassword = Redacted("s3cret") }),
        (.transport, { ($0.kind, $0.transport) = ("verto", "tls") }),
        (.protection, { ($0.kind, $0.protection) = ("verto", "offered") }),
        (.ice, { ($0.kind, $0.ice) = ("verto", "answered") }),
        (.allowClearPassword, { ($0.kind, $0.transport, $0.password) = ("verto", "ws", Redacted("s3cret")) }),
        (.token, { ($0.kind, $0.token) = ("telnyx", Redacted("t0 k3n")) }),
        (.token, { ($0.kind, $0.token, $0.password) = ("telnyx", Redacted("t0k3n"), Redacted("s3cret")) }),
        (.authUser, { ($0.kind, $0.token, $0.authUser) = ("telnyx", Redacted("t0k3n"), "me") }),
    ]

    @Test(arguments: wrong.indices) func fieldAtFaultIsNamed(_ index: Int) {
        let (field, spoil) = Self.wrong[index]
        let draft = Self.draft(spoil)
        #expect { try draft.account(beside: ["known"]) } throws: { error in
            guard let refusal = error as? AccountRefusal else { return false }
            return refusal.field == field && refusal.description.hasPrefix(field.rawValue + ": ")
        }
    }

    @Test func serversOfICEAreRead() throws {
        let account = try Self.draft {
            ($0.stun, $0.turn) = (
                "a.example  b.example:3479", "turns:me@c.example turn:you@[2001:db8::1]:9?transport=tcp"
            )
            $0.turnPassword = Redacted("s3cret")
        }.account()
        let servers = account.ice.servers
        #expect(servers.map(\.host) == ["a.example", "b.example", "c.example", "2001:db8::1"])
        #expect(servers.map(\.port) == [3_478, 3_479, 5_349, 9] && servers.map(\.user) == [nil, nil, "me", "you"])
        #expect(servers.map(\.transport) == [.udp, .udp, .tls, .tcp])
        #expect(servers.map { $0.password?.reveal() } == [nil, nil, "s3cret", "s3cret"])
    }

    // MARK: Changes

    @Test func whatIsNotSaidStays() throws {
        let present = Self.present {
            $0.ice = Account.ICE(.always, servers: [.init(host: "stun.example", port: 3_478)])
        }
        #expect(try AccountDraft().account(changing: present) == present)
        let renamed = try AccountDraft(label: "hall").account(changing: present)
        #expect(renamed.label == "hall" && renamed.password == present.password && renamed.trust == present.trust)
    }

    @Test func emptyTextRemovesOptionalValue() throws {
        var draft = AccountDraft()
        (draft.authUser, draft.displayName, draft.domain, draft.stun) = ("", "", "", "")
        draft.password = Redacted("")
        let present = Self.present {
            $0.ice = Account.ICE(.always, servers: [.init(host: "stun.example", port: 3_478)])
        }
        let account = try draft.account(changing: present)
        #expect(account.authUser == nil && account.displayName == nil && account.domain == nil)
        #expect(account.password == nil && account.ice.servers.isEmpty && account.ice.policy == .always)
        for spoil: (inout AccountDraft) -> Void in [{ $0.label = "" }, { $0.user = "" }, { $0.server = "" }] {
            var draft = AccountDraft()
            spoil(&draft)
            #expect(throws: AccountRefusal.self) { try draft.account(changing: present) }
        }
    }

    /// Otherwise a program with the right to change accounts could make the phone send it anywhere.
    @Test(
        arguments: [
            ("thief.example", nil, nil), ("thief.example:5061", "tls", nil), (nil, "udp", nil), (nil, "auto", nil),
            ("pbx.example", "ws", "verto"), (nil, "wss", "verto"), ("pbx.example.thief.example", nil, nil),
        ] as [(String?, String?, String?)])
    func storedPasswordGoesNowhereElse(server: String?, transport: String?, kind: String?) throws {
        var draft = AccountDraft()
        (draft.server, draft.transport, draft.kind) = (server, transport, kind)
        draft.allowClearPassword = true
        #expect { try draft.account(changing: Self.present()) } throws: { ($0 as? AccountRefusal)?.field == .password }
        draft.password = Redacted("new")
        let account = try draft.account(changing: Self.present())
        #expect(account.password?.reveal() == "new")
        // The stored secret is gone in the same way.
        draft.password = Redacted("")
        #expect(try draft.account(changing: Self.present()).password == nil)
    }

    @Test func otherPortOfSameServerNeedsNoPassword() throws {
        var draft = AccountDraft()
        (draft.server, draft.transport) = ("PBX.example:443", "wss")
        let account = try draft.account(changing: Self.present())
        #expect(account.port == 443 && account.password == Self.present().password)
    }

    @Test func whatWasLearnedBelongsToTheServer() throws {
        var draft = AccountDraft()
        (draft.server, draft.password) = ("other.example", Redacted("new"))
        #expect(try draft.account(changing: Self.present()).trust.isEmpty)
    }

    @Test func tokenAndPasswordReplaceEachOther() throws {
        let token = Account(
            kind: .telnyx, label: "desk", user: "", server: "rtc.telnyx.com", transport: .wss, token: Redacted("t0k3n"),
            protection: .dtls, ice: Account.ICE(.always))
        var draft = AccountDraft()
        (draft.user, draft.password) = ("me", Redacted("s3cret"))
        let byPassword = try draft.account(changing: token)
        #expect(byPassword.token == nil && byPassword.password?.reveal() == "s3cret")
        draft = AccountDraft()
        draft.token = Redacted("n3w")
        let byToken = try draft.account(changing: byPassword)
        #expect(byToken.token?.reveal() == "n3w" && byToken.password == nil && byToken.user == "me")
        draft.token = Redacted("")
        #expect(throws: AccountRefusal.self, "nothing is left to log in with") { try draft.account(changing: token) }
    }

    /// A stored password of a TURN server stays with that server.
    @Test func passwordOfRelayStaysWithRelay() throws {
        let relay = Account.ICE.Server(
            host: "turn.example", port: 3_478, user: "me", password: Redacted("s3cret"))
        let present = Self.present { $0.ice = Account.ICE(.always, servers: [relay]) }
        var draft = AccountDraft()
        draft.turn = "me@turn.example:3478"
        #expect(try draft.account(changing: present).ice.servers == [relay])
        draft.turn = "me@thief.example"
        #expect { try draft.account(changing: present) } throws: { ($0 as? AccountRefusal)?.field == .turnPassword }
        draft = AccountDraft()
        draft.turnPassword = Redacted("n3w")
        #expect(try draft.account(changing: present).ice.servers.first?.password?.reveal() == "n3w")
        draft = AccountDraft()
        draft.ice = "off"
        #expect(try draft.account(changing: present).ice == Account.ICE(.off))
    }

    @Test func newKindBeginsWithItsUsualValues() throws {
        var draft = AccountDraft()
        (draft.kind, draft.password) = ("verto", Redacted("s3cret"))
        let verto = try draft.account(changing: Self.present())
        #expect(verto.transport == .wss && verto.protection == .dtls && verto.ice == Account.ICE(.always))
        #expect(verto.server == "pbx.example" && verto.port == nil)
        draft.kind = "telnyx"
        let telnyx = try draft.account(changing: Self.present())
        #expect(telnyx.server == "rtc.telnyx.com" && telnyx.ice.servers.count == 2)
    }
}
