import Base
import Foundation
import PhoneCore
import Rig
import Testing
import Vault
import offhook

/// The order of questions, without a terminal and without a machine.
@Suite struct SetupInterviewTests {
    private static let board = SetupFindings.BoardOffer(
        name: "simulator", words: "no hardware", text: "name: Simulator\n", fits: true)

    private static func machine(_ text: String? = nil) -> SetupFindings {
        var found = SetupFindings(path: "/home/me/phone/offhook.yaml", text: text, isSystem: false)
        found.cards = [.init("plughw:CARD=Device", "USB"), .init("plughw:CARD=Second", "PCI")]
        found.boards = [.init(name: "raspberry-pi", words: "Raspberry Pi", text: "x", fits: false), board]
        return found
    }

    /// Answers every question by its key, the others by default; trials succeed.
    private static func run(
        _ interview: inout SetupInterview, _ answers: [SetupKey: String] = [:], password: String? = "secret"
    ) throws -> [SetupInterview.Step] {
        var steps: [SetupInterview.Step] = []
        while interview.next != .done, steps.count < 100 {
            steps.append(interview.next)
            switch interview.next {
            case .ask(let question) where question.isSecret: try interview.answer(secret: password.map { Redacted($0) })
            case .ask(let question): try interview.answer(answers[question.key] ?? "")
            case .attempt(let trial): interview.conclude(trial, nil)
            case .write: interview.wrote()
            case .done: break
            }
        }
        return steps
    }

    private static func keys(_ steps: [SetupInterview.Step]) -> [SetupKey] {
        steps.compactMap { if case .ask(let question) = $0 { question.key } else { nil } }
    }

    private static let account: [SetupKey: String] = [.user: "101", .server: "pbx.example:5070"]

    @Test func newPhoneAsksEverythingAndTriesIt() throws {
        var interview = SetupInterview(Self.machine())
        let steps = try Self.run(&interview, Self.account.merging([.testCall: "loopback"]) { $1 })
        #expect(
            Self.keys(steps) == [
                .sound, .country, .handset, .speaker, .headset, .ringer, .panel, .board, .vault, .account, .label,
                .kind, .user, .server, .transport, .protection, .ice, .password, .web, .testCall,
            ])
        let trials = steps.compactMap { if case .attempt(let trial) = $0 { trial } else { nil } }
        #expect(trials == [.route(.handset), .account, .call])
        let beforeWriting = steps.firstIndex(of: .write).map { steps[$0 - 1] }
        guard case .ask(let last) = beforeWriting else {
            Issue.record("\(String(describing: beforeWriting))")
            return
        }
        #expect(last.key == .web)
    }

    /// A further phone of the machine has its own vault, socket and board.
    @Test(arguments: [("offhook@desk1", true), ("offhook", false), ("desk", false), ("offhook@", false)])
    func secondPhoneGetsItsOwnPaths(name: String, isFurther: Bool) throws {
        var found = SetupFindings(path: "/etc/offhook/\(name).yaml", isSystem: true)
        found.boards = [Self.board]
        let interview = SetupInterview(found)
        let text = try interview.configuration().after
        #expect(text.contains("vault: {file: /var/lib/offhook/desk1/vault") == isFurther, "\(text)")
        #expect(text.contains("control: {socket: /run/offhook@desk1/control.sock}") == isFurther)
        #expect(text.contains("vault:") == isFurther)
        #expect(interview.board?.path == "/etc/offhook/" + (isFurther ? "board@desk1.yaml" : "board.yaml"))
    }

    @Test func filesAreWrittenAsByHand() throws {
        var interview = SetupInterview(Self.machine())
        _ = try Self.run(&interview, Self.account.merging([.country: "de", .speaker: "2", .ringer: "hw:0,1"]) { $1 })
        let file = try interview.configuration()
        #expect(
            file.after == """
                # Written by offhook setup. All other keys have defaults: docs/user/configuration
                board: board.yaml
                vault: {file: vault, key: vault.key}
                control: {socket: control.sock}
                sound:
                  country: DE
                  handset: {capture: "plughw:CARD=Device", playback: "plughw:CARD=Device"}
                  speaker: {capture: "plughw:CARD=Second", playback: "plughw:CARD=Second"}
                  ringer: "hw:0,1"

                """)
        let media = try Settings(file.after, path: file.path).media
        #expect(media.devices[.speaker]?.capture == "plughw:CARD=Second" && media.country.rawValue == "DE")
        #expect(interview.board?.after == Self.board.text && interview.board?.path == "/home/me/phone/board.yaml")
    }

    @Test func vertoHasItsOwnChoices() throws {
        var interview = SetupInterview(Self.machine())
        let answers: [SetupKey: String] = [
            .kind: "verto", .user: "1000", .server: "pbx.example", .ice: "relayed", .turn: "phone@turn.example",
        ]
        let steps = try Self.run(&interview, answers)
        #expect(
            Self.keys(steps).drop { $0 != .label } == [
                .label, .kind, .user, .server, .transport, .ice, .stun, .turn, .turnPassword, .password, .web,
                .testCall,
            ])
        let transports = steps.compactMap { step -> [String]? in
            guard case .ask(let question) = step, question.key == .transport else { return nil }
            return question.choices.map(\.value)
        }
        #expect(transports == [["ws", "wss"]])
        let account = try #require(try interview.account)
        #expect(account.kind == .verto && account.transport == .wss && account.protection == .dtls)
        #expect(account.ice.policy == .relayed && account.ice.servers.map(\.host) == ["turn.example"])
        #expect(account.ice.servers.first?.password?.reveal() == "secret" && account.password?.reveal() == "secret")
    }

    /// The password would be readable on the path.
    @Test(arguments: [("pbx.example", false), ("127.0.0.1:8081", true)])
    func vertoInClearIsForThisMachineOnly(server: String, isAllowed: Bool) throws {
        var interview = SetupInterview(Self.machine())
        let answers: [SetupKey: String] = [.kind: "verto", .user: "1000", .server: server]
        while true {
            switch interview.next {
            case .ask(let question) where question.key == .transport:
                guard !isAllowed else { return try interview.answer("ws") }
                #expect(throws: SetupRefusal.self) { try interview.answer("ws") }
                return
            case .ask(let question): try interview.answer(answers[question.key] ?? "")
            case .attempt(let trial): interview.conclude(trial, nil)
            case .write, .done:
                Issue.record("the transport was not asked")
                return
            }
        }
    }

    @Test func telnyxNeedsOnlyToken() throws {
        var interview = SetupInterview(Self.machine())
        let steps = try Self.run(&interview, [.kind: "telnyx", .login: "token"], password: "t0k3n")
        #expect(Self.keys(steps).drop { $0 != .label } == [.label, .kind, .login, .server, .token, .web, .testCall])
        let account = try #require(try interview.account)
        #expect(account.server == "rtc.telnyx.com" && account.transport == .wss && account.user.isEmpty)
        #expect(account.token?.reveal() == "t0k3n" && account.password == nil)
        #expect(account.ice.servers.map(\.host) == ["stun.telnyx.com", "turn.telnyx.com"])
    }

    /// The files show the finished steps: nothing is asked twice or written again.
    @Test func configuredPhoneIsUnchanged() throws {
        var first = SetupInterview(Self.machine())
        _ = try Self.run(&first, Self.account)
        var found = Self.machine(try first.configuration().after)
        found.devices = [.handset: "plughw:CARD=Device"]
        (found.board, found.hasVault, found.accounts) = ("board.yaml", true, ["office"])
        var second = SetupInterview(found)
        #expect(Self.keys(try Self.run(&second)) == [.sound, .panel, .account, .web, .testCall])
        #expect(try !second.configuration().isNeeded)
        #expect(second.board == nil)
    }

    @Test func everyPartMayBeSkipped() throws {
        var interview = SetupInterview(Self.machine())
        let steps = try Self.run(&interview, [.sound: "no", .panel: "no", .vault: "none"])
        #expect(Self.keys(steps) == [.sound, .panel, .vault, .testCall])
        // The result is still a working phone.
        let file = try interview.configuration()
        #expect(try Settings(file.after, path: file.path).media.devices[.handset]?.capture == "null")
        #expect(interview.board?.after == Self.board.text)
    }

    @Test func failedTrialOffersFormerAnswers() throws {
        var interview = SetupInterview(Self.machine())
        while interview.next != .attempt(.account) {
            switch interview.next {
            case .ask(let question) where question.isSecret: try interview.answer(secret: nil)
            case .ask(let question): try interview.answer(Self.account[question.key] ?? "")
            case .attempt(let trial): interview.conclude(trial, nil)
            case .write, .done: Issue.record("no account was tried")
            }
        }
        interview.conclude(.account, SetupFailure("no answer", [.change, .pin("AB:CD"), .leave]))
        guard case .ask(let question) = interview.next else {
            Issue.record("\(interview.next)")
            return
        }
        #expect(question.key == .remedy && question.choices.map(\.value) == ["change", "pin", "leave"])
        #expect(throws: SetupRefusal.self) { try interview.answer("shrug") }
        try interview.answer("change")
        var usual: [SetupKey: String] = [:]
        while case .ask(let question) = interview.next, !question.isSecret {
            usual[question.key] = question.usual
            try interview.answer("")
        }
        #expect(usual[.server] == "pbx.example:5070" && usual[.user] == "101" && usual[.authUser] == "101")
        try interview.answer(secret: nil)
        interview.conclude(.account, SetupFailure("not trusted", [.pin("AB:CD")]))
        try interview.answer("pin")
        #expect(interview.next == .attempt(.account))
        #expect(try interview.configuration().after.contains("  tls:\n    pins:\n      office: \"AB:CD\"\n"))
        interview.conclude(.account, SetupFailure("still not", [.leave]))
        try interview.answer("leave")
        let account = try interview.account
        #expect(account == nil)
        try interview.answer("no")
        #expect(interview.next == .write)
    }

    /// A person who only presses Enter reaches the end: a failed device is not offered as the default answer again.
    @Test(arguments: [SetupKey.handset, .speaker, .ringer])
    func failedDeviceIsNotDefaultAnswer(_ key: SetupKey) throws {
        var interview = SetupInterview(Self.machine())
        var (chosen, steps) = ([String](), 0)
        while interview.next != .write, steps < 60 {
            steps += 1
            switch interview.next {
            case .ask(let question) where question.isSecret: try interview.answer(secret: nil)
            case .ask(let question) where question.key == key:
                chosen.append(question.usual ?? "nothing")
                // The first answer is a card, whatever is usual.
                try interview.answer(chosen.count == 1 ? "1" : "")
            case .ask(let question):
                let isOther = key == .speaker && question.key == .handset
                try interview.answer(isOther ? "null" : Self.account[question.key] ?? "")
            case .attempt(let trial) where trial.key == key:
                interview.conclude(trial, SetupFailure("no", [.change, .again]))
            case .attempt(let trial): interview.conclude(trial, nil)
            case .write, .done: break
            }
        }
        #expect(interview.next == .write, "\(chosen)")
        let expected =
            key == .handset ? ["plughw:CARD=Device", "plughw:CARD=Second", "null"] : ["none", "none"]
        #expect(chosen == expected)
    }

    @Test(
        arguments: [
            (SetupKey.country, "XX"), (.handset, "\u{1B}[2J"), (.user, "a@b"), (.user, ""), (.server, "two words"),
            (.server, ""), (.label, "two\u{202E}"), (.transport, "pigeon"), (.kind, "skype"), (.ice, "sometimes"),
            (.vault, "pocket"), (.sound, "perhaps"),
            (.board, "toaster"),
        ])
    func impossibleAnswerIsRefused(key: SetupKey, answer: String) throws {
        var interview = SetupInterview(Self.machine())
        while case let step = interview.next, step != .done {
            switch step {
            case .ask(let question) where question.key == key:
                #expect(throws: SetupRefusal.self) { try interview.answer(answer) }
                #expect(interview.next == step)
                return
            case .ask(let question): try interview.answer(Self.account[question.key] ?? "")
            case .attempt(let trial): interview.conclude(trial, nil)
            case .write, .done: break
            }
        }
        Issue.record("\(key) was not asked")
    }

    @Test func phoneWithoutHandsetNeedsSpeaker() throws {
        var interview = SetupInterview(Self.machine())
        for answer in ["yes", "US", "none"] { try interview.answer(answer) }
        #expect(throws: SetupRefusal("a phone needs at least a handset or a speaker")) { try interview.answer("none") }
        try interview.answer("1")
        let file = try interview.configuration()
        #expect(try Settings(file.after, path: file.path).media.devices.keys.map(\.self) == [.speaker])
    }

    @Test func embeddedSimulatorEqualsBoardFile() throws {
        #expect(try SimulatorBoard.text == String(contentsOfFile: Workplace.board, encoding: .utf8))
    }
}
