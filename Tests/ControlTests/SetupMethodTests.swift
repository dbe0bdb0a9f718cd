import Base
import Control
import JSON
import PhoneCore
import Synchronization
import Testing

/// The setup methods: their parameters, and the end of a trial.
@Suite struct SetupMethodTests {
    private static let draft: [String: JSONValue] = ["label": "office", "user": "101", "server": "pbx.example:5080"]

    /// Setup's request for a client's request.
    private func request(_ method: String, _ params: [String: JSONValue]) throws -> SetupRequest? {
        var asked: SetupRequest?
        try TestPhone.run(manner: .shows(TextTests.snapshot)) { phone in
            let answer = try phone.client().call(method, params)
            #expect(answer == ["told": true])
            asked = phone.askedOfSetup.take()?.request
        }
        return asked
    }

    @Test func requestsReachSetup() throws {
        #expect(try request("getSetup", [:]) == .look)
        #expect(
            try request("tryDevice", ["route": "speaker", "part": "record"])
                == .tryDevice(.speaker, .record, device: nil))
        #expect(
            try request("tryDevice", ["route": "headset", "part": "play", "device": "plughw:CARD=a"])
                == .tryDevice(.headset, .play, device: "plughw:CARD=a"))
        #expect(try request("tryDevice", ["route": "ringer", "part": "play"]) == .tryRinger(device: nil))
        #expect(try request("planSetup", [:]) == .plan(SetupChoices()))
        var choices = SetupChoices()
        (choices[.country], choices[.headset], choices[.board]) = ("GB", "none", "simulator")
        #expect(
            try request("planSetup", ["country": "GB", "headset": "none", "board": "simulator"]) == .plan(choices))
        choices = SetupChoices()
        (choices[.label], choices[.pin], choices[.authorities]) = ("office", "ab", "ca.pem")
        #expect(
            try request("planSetup", ["label": "office", "pin": "ab", "authorities": "ca.pem"]) == .plan(choices))
        #expect(try request("writeSetup", ["plan": 7]) == .write(plan: 7))
        #expect(try request("addAccount", ["trial": 7]) == .addTried(trial: 7))
        #expect(try request("removeAccount", ["account": "Büro"]) == .removeAccount(AccountID(3)))
        #expect(try request("removeAccount", ["account": 5]) == .removeAccount(AccountID(5)))
        #expect(try request("restart", [:]) == .restart)
        #expect(try request("reload", [:]) == .reload)
    }

    /// The program knows the defaults, because they depend on the account.
    @Test func accountHasNoMoreThanWasSaid() throws {
        guard case .tryAccount(let plain)? = try request("tryAccount", Self.draft) else {
            Issue.record("no account")
            return
        }
        #expect((plain.label, plain.user, plain.server) == ("office", "101", "pbx.example:5080"))
        #expect(plain.params == Self.draft)
        let more: [String: JSONValue] = [
            "password": "s3cret", "authUser": "", "transport": "tls", "protection": "offered",
            "pin": "ab", "authorities": "ca.pem",
        ]
        guard case .tryAccount(let full)? = try request("tryAccount", Self.draft.merging(more) { $1 }) else {
            Issue.record("no account")
            return
        }
        #expect(full.password?.reveal() == "s3cret" && full.authUser == nil, "an empty field has no effect")
        #expect(full.transport == "tls" && full.protection == "offered")
        #expect(full.pin == "ab" && full.authorities == "ca.pem" && plain.pin == nil && plain.authorities == nil)
        #expect(!"\(full)".contains("s3cret"))
    }

    @Test func accountOfTelnyxNeedsOnlyAToken() throws {
        let fields: [String: JSONValue] = [
            "label": "desk", "kind": "telnyx", "token": .string(String(repeating: "t", count: 4_096)),
            "registers": false, "ice": "relayed", "stun": "a.example b.example:3479", "turn": "turns:me@c.example",
            "turnPassword": "s3cret", "allowClearPassword": true,
        ]
        guard case .addAccount(let draft)? = try request("addAccount", fields) else {
            Issue.record("no account")
            return
        }
        #expect(draft.params == fields && draft.user == nil && draft.server == nil)
        #expect(!"\(draft)".contains("s3cret") && !"\(draft)".contains("tttt"))
    }

    /// An empty text removes a value, and a missing one keeps it.
    @Test func changeHasOnlyWhatChanges() throws {
        let fields: [String: JSONValue] = ["displayName": "", "label": "hall", "registers": true]
        let asked = try request("changeAccount", fields.merging(["account": "Büro"]) { $1 })
        guard case .changeAccount(AccountID(3), let draft)? = asked else {
            Issue.record("\(String(describing: asked))")
            return
        }
        #expect(draft.params == fields && draft.password == nil)
    }

    @Test func renamedAccountHasItsNewLabelAtOnce() throws {
        try TestPhone.run { phone in
            let client = try phone.subscriber()
            phone.labels.all.withLock { $0 = [AccountID(3): "Flur"] }
            try phone.onLoop { $0.publish(.accountsChanged, ["accounts": ["Flur"]]) }
            let event = try client.nextEvent(timeout: .seconds(10))
            #expect(event?.name == "accountsChanged" && event?.fields == ["accounts": ["Flur"]])
            _ = try client.call("dial", ["target": "200", "account": "Flur"])
            #expect(phone.asked.take()?.request == .dial("200", account: AccountID(3), presentation: nil))
            #expect {
                try client.call("dial", ["target": "200", "account": "Büro"])
            } throws: {
                RefusalTests.code(of: $0) == "invalidParams"
            }
        }
    }

    private static let wrong: [(method: String, params: [String: JSONValue])] = [
        ("tryAccount", ["user": "101", "server": "pbx.example"]),
        ("tryAccount", draft.merging(["transport": "sctp"]) { $1 }),
        ("tryAccount", draft.merging(["protection": "perhaps"]) { $1 }),
        ("tryAccount", draft.merging(["password": 7]) { $1 }),
        ("tryAccount", draft.merging(["user": .string(String(repeating: "1", count: 257))]) { $1 }),
        ("tryDevice", ["route": "speaker"]), ("tryDevice", ["route": "radio", "part": "play"]),
        ("tryDevice", ["route": "speaker", "part": "sing"]),
        ("tryDevice", ["route": "ringer", "part": "record"]), ("planSetup", ["pin": "ab"]),
        ("addAccount", ["trial": 0]),
        ("addAccount", ["trial": "last"]), ("addAccount", [:]), ("addAccount", draft.merging(["trial": 7]) { $1 }),
        ("addAccount", draft.merging(["pin": "ab"]) { $1 }), ("addAccount", draft.merging(["kind": "skype"]) { $1 }),
        ("addAccount", draft.merging(["token": .string(String(repeating: "t", count: 4_097))]) { $1 }),
        ("changeAccount", ["label": "hall"]), ("changeAccount", ["account": "nobody", "label": "hall"]),
        ("changeAccount", ["account": "Büro", "registers": "no"]), ("removeAccount", [:]),
        ("removeAccount", ["account": "nobody"]), ("planSetup", ["board": 7]), ("writeSetup", [:]),
        ("planSetup", ["handset": .string(String(repeating: "1", count: 257))]), ("writeSetup", ["plan": 0]),
    ]

    @Test(arguments: wrong)
    func invalidRequestTriesNothing(_ method: String, _ params: [String: JSONValue]) throws {
        try TestPhone.run(manner: .shows(TextTests.snapshot)) { phone in
            let client = try phone.client()
            #expect { try client.call(method, params) } throws: { RefusalTests.code(of: $0) == "invalidParams" }
            _ = try client.call("getSetup")
            #expect(phone.askedOfSetup.take()?.request == .look, "nothing before")
        }
    }

    /// A browser that disconnects while its account is tried.
    private func asksAndGoes(_ phone: TestPhone) throws -> ActionID? {
        let browser = try phone.browser()
        browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"tryAccount","params":{"label":"a","user":"b","server":"c"}}"#)
        return phone.askedOfSetup.take()?.action
    }

    @Test func trialEndsWithItsConnection() throws {
        try TestPhone.run(TestPhone.http(), manner: .shows(TextTests.snapshot), setupAnswers: false) { phone in
            let asked = try asksAndGoes(phone)
            let action = try #require(asked)
            #expect(phone.stoppedSetups.take() == action)
        }
    }

    @Test func trialEndsWhenCancelled() throws {
        try TestPhone.run(TestPhone.http(), manner: .shows(TextTests.snapshot), setupAnswers: false) { phone in
            let (one, other) = (try phone.browser(), try phone.browser())
            one.rpc(
                #"{"jsonrpc":"2.0","id":"a","method":"tryDevice","params":{"route":"handset","part":"play"}}"#)
            let action = try #require(phone.askedOfSetup.take()?.action)
            other.rpc(#"{"jsonrpc":"2.0","id":"b","method":"cancel","params":{"id":"a"}}"#)
            #expect(try other.answer()?.json?["result"] == [:])
            #expect(try one.answer()?.json?["error"]?["data"]?["code"] == "cancelled")
            #expect(phone.stoppedSetups.take() == action)
            // A later answer is dropped.
            try phone.onLoop { $0.answer(action, .success([:])) }
            other.rpc(HTTPTests.ping)
            #expect(try other.answer()?.json?["result"]?["version"] == "1.2.3")
        }
    }

    @Test func callScopeMayNotSetUp() throws {
        try TestPhone.run(TestPhone.http(), manner: .shows(TextTests.snapshot)) { phone in
            let browser = try phone.browser()
            for method in [
                "getSetup", "tryDevice", "tryAccount", "addAccount", "changeAccount", "removeAccount", "planSetup",
                "writeSetup", "restart", "reload",
            ] {
                browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#, scope: .call)
                #expect(try browser.answer()?.json?["error"]?["data"]?["code"] == "scopeTooSmall", "\(method)")
            }
        }
    }
}
