import Foundation
import Panel
import PhoneCore
import Rig
import Testing
import offhook

/// The machine's policy of a configuration file: every key has its effect, and no other.
@Suite struct PolicyTests {
    private static let accounts = AccountLabels([(AccountID(4), "Büro"), (AccountID(9), "home")])

    private static func policy(
        _ text: String, accounts: AccountLabels = Self.accounts, devices: String = "handset",
        keys: Set<Key> = [.hold]
    ) throws -> PhonePolicy {
        try settings(text, devices).policy(accounts: accounts, keys: keys)
    }

    private static func settings(_ text: String, _ devices: String) throws -> Settings {
        let path = FileManager.default.temporaryDirectory.path + "/offhook-policy-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sound = devices.split(separator: " ").map { "  \($0): { capture: null-in, playback: null-out }\n" }
        let whole = "board: board.yaml\nsound:\n\(sound.joined())\(text)\n"
        try whole.write(toFile: path, atomically: true, encoding: .utf8)
        return try Settings(path: path)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let change: @Sendable (inout PhonePolicy) -> Void
        var testDescription: String { text }

        init(_ text: String, _ change: @escaping @Sendable (inout PhonePolicy) -> Void) {
            (self.text, self.change) = (text, change)
        }
    }

    static let calls: [Row] = [
        Row("") { _ in },
        Row("calls: { maximum: 8, ring_timeout: 5 min }") { ($0.maximumCalls, $0.ringingInTime) = (8, .seconds(300)) },
        Row("calls: { dial_timeout: 1 min }") { $0.ringingOutTime = .seconds(60) },
        Row("calls: { maximum_length: 1 h }") { $0.maximumCallTime = .seconds(3_600) },
        Row("calls: { account: home }") { $0.defaultAccount = AccountID(9) },
        Row("calls: { conference: false }") { $0.mixesCalls = false },
        Row("calls: { recording: { folder: calls } }") { $0.recordsCalls = true },
        Row("calls: { playing: { folder: sounds } }") { $0.playsFiles = true },
        Row("calls: { dtmf: automatic }") { $0.dtmf = .automatic },
        Row("calls: { dtmf: events }") { $0.dtmf = .events },
        Row("calls: { dtmf: info }") { $0.dtmf = .info },
        Row("calls: { dtmf: in-band }") { $0.dtmf = .inBand },
        Row("calls: { decline_as: busy }") { $0.declinedAs = .busy },
        Row("calls: { decline_as: declined }") { $0.declinedAs = .declined },
        Row("calls: { blocked: [\"+49 30 123\", eve] }") { $0.blocked = ["+49 30 123", "eve"] },
        Row("calls: { blocked: [withheld, eve] }") { ($0.blocked, $0.blocksWithheld) = (["eve"], true) },
        Row("calls: { follow_transfers: true, transfer_targets: [2xx] }") {
            ($0.followsTransfers, $0.transferTargets) = (true, try? DialPlan(patterns: ["2xx"], emergency: []))
        },
        Row("calls: { history: false }") { $0.keepsNoHistory = true }, Row("calls: { history: true }") { _ in },
        Row("calls: { organizations: { home: 17, Büro: acme } }") {
            $0.organisations = [AccountID(9): OrganisationID("17"), AccountID(4): OrganisationID("acme")]
        },
        Row("calls: { organization_keys: { 3: \"42\", 16: org_nord }, speed_dials: { 1: 200 } }") {
            $0.organisationKeys = [3: OrganisationID("42"), 16: OrganisationID("org_nord")]
            $0.speedDials = [1: SpeedDial(["200"])]
        },
        Row("calls: { announce: interface }") { $0.announcer = .interface },
        Row("calls: { short_numbers: [\"0\", 42] }") { $0.shortNumbers = ["0", "42"] },
        Row("calls: { auto_answer: { callers: [100], route: handset } }") {
            ($0.autoAnswer.callers, $0.autoAnswer.route) = ([ListedCaller("100")], .handset)
        },
        Row(
            "calls: { auto_answer: { callers: [Door@PBX.example, 192.0.2.7, \"2001:db8::7\"], "
                + "only_when_asked: false, route: handset } }"
        ) {
            $0.autoAnswer.callers = [
                ListedCaller("door", domain: "pbx.example"), ListedCaller(nil, domain: "192.0.2.7"),
                ListedCaller(nil, domain: "2001:db8::7"),
            ]
            ($0.autoAnswer.onlyWhenAsked, $0.autoAnswer.route) = (false, .handset)
        },
        Row("calls:\n  rings: { family: [400 ms, 200 ms] }\n  account_rings: { Büro: family }") {
            $0.rings = ["family": RingCadence([.milliseconds(400), .milliseconds(200)])]
            $0.accountRings = [AccountID(4): "family"]
        },
        Row("calls: { voicemail: { home: 1571, Büro: sip:vm@pbx.example } }") {
            $0.voicemail = [AccountID(9): "1571", AccountID(4): "sip:vm@pbx.example"]
        },
        Row("calls: { line_keys: [home, Büro] }") { $0.lineKeys = [AccountID(9), AccountID(4)] },
        Row(
            "calls:\n  speed_dials:\n    1: 030 123\n    2: [100, sip:desk@pbx.example]\n"
                + "    16: { targets: [7000], account: home }"
        ) {
            $0.speedDials = [
                1: SpeedDial(["030 123"]), 2: SpeedDial(["100", "sip:desk@pbx.example"]),
                16: SpeedDial(["7000"], account: AccountID(9)),
            ]
        },
        Row(
            """
            calls:
              speed_dials:
                1:
                  targets: 100
                  hours:
                    - { days: [mon, fri], from: 09:00, to: 17:30, targets: [200, 201] }
                    - { from: 22:00, to: 06:00, targets: 300 }
            """
        ) {
            $0.speedDials = [
                1: SpeedDial(
                    ["100"],
                    hours: [
                        .init([.monday, .friday], from: 540, to: 1_050, targets: ["200", "201"]),
                        .init(Set(WeekTime.Day.allCases), from: 1_320, to: 360, targets: ["300"]),
                    ])
            ]
        },
    ]

    static let alarms: [Row] = [
        Row("alarms: { tamper: 200, door-open: [200, \"sip:guard@pbx.example\"] }") {
            $0.alarms = [
                "tamper": AlarmPolicy(SpeedDial(["200"])),
                "door-open": AlarmPolicy(SpeedDial(["200", "sip:guard@pbx.example"])),
            ]
        },
        Row(
            "alarms:\n  tamper:\n    { targets: 200, account: home, wait: 1 min, pause: 10 min,\n"
                + "      hours: [{ from: 22:00, to: 06:00, targets: 300 }] }"
        ) {
            let night = SpeedDial.Hours(Set(WeekTime.Day.allCases), from: 1_320, to: 360, targets: ["300"])
            $0.alarms["tamper"] = AlarmPolicy(
                SpeedDial(["200"], account: AccountID(9), hours: [night]), wait: .seconds(60), pause: .seconds(600))
        },
    ]

    static let others: [Row] = [
        Row("media: { silence_timeout: 1 min }") { $0.silenceTime = .seconds(60) },
        Row("network: { timeout: 10 s, reconnect_timeout: 20 s }") {
            ($0.networkTime, $0.reconnectTime) = (.seconds(10), .seconds(20))
        },
        Row("panel: { flash: off, on_hook_declines: true }") { $0.onHookDeclines = true },
        Row("panel: { flash: { longest: 500 ms } }") { $0.flash = FlashTimes(longest: .milliseconds(500)) },
        Row("panel: { flash: { shortest: 50 ms, longest: 2 s } }") {
            $0.flash = FlashTimes(shortest: .milliseconds(50), longest: .seconds(2))
        },
        Row("panel: { digit_time: 3 s, off_hook_time: 20 s, congestion_time: 5 s }") {
            ($0.digitTime, $0.offHookTime, $0.congestionTime) = (.seconds(3), .seconds(20), .seconds(5))
        },
        Row("panel: { howler_time: 60 s, hands_free_tone_time: 2 s }") {
            ($0.howlerTime, $0.handsFreeToneTime) = (.seconds(60), .seconds(2))
        },
        Row("relays: { 1: {}, 8: { code: \"*9D1#\", callers: [200], pulse: 500 ms, once: true } }") {
            let code = RelayCode([.star, .nine, .d, .one], callers: [ListedCaller("200")])
            $0.relays = [1: RelayPolicy(), 8: RelayPolicy(code: code, pulse: .milliseconds(500), once: true)]
        },
        Row("relays: { 2: { code: \"4711#\", callers: [200], accounts: [home], directions: [outgoing, incoming] } }") {
            let code = RelayCode(
                [.four, .seven, .one, .one], callers: [ListedCaller("200")], accounts: [AccountID(9)],
                directions: [.incoming, .outgoing])
            $0.relays = [2: RelayPolicy(code: code)]
        },
    ]

    @Test(arguments: calls + others) func keyChangesOnlyItsOwnSetting(_ row: Row) throws {
        var expected = try Self.policy("")
        row.change(&expected)
        #expect(try Self.policy(row.text) == expected)
    }

    @Test(arguments: alarms) func inputCallsConfiguredTargets(_ row: Row) throws {
        var expected = try Self.policy("", devices: "handset speaker")
        row.change(&expected)
        #expect(try Self.policy(row.text, devices: "handset speaker") == expected)
    }

    @Test func alarmOfUnknownInputIsRefused() throws {
        let board = try Board.load(path: Workplace.board).panel
        let settings = try Self.settings("alarms: { window: 200 }", "speaker")
        let refusal = #expect(throws: UnknownInput.self) {
            try settings.policy(accounts: Self.accounts, board: board)
        }
        #expect(refusal?.description == "alarms: the board has no input \"window\"; it has tamper, door-open")
        let known = try Self.settings("alarms: { tamper: 200 }", "speaker")
        #expect(try known.policy(accounts: Self.accounts, board: board).alarms.count == 1)
    }

    @Test func relayMissingOnBoardIsRefusedWithLine() throws {
        let board = try Board.load(path: Workplace.board).panel
        let last = UInt8(board.relays.count)
        let settings = try Self.settings("relays:\n  \(last): {}\n  \(last + 1): {}", "handset")
        let refusal = #expect(throws: (any Error).self) {
            try settings.policy(accounts: Self.accounts, board: board)
        }
        let said = refusal.map { "\($0)" } ?? "taken"
        let expected = ".yaml:6:3: relays.\(last + 1): the board has relays 1 to \(last); remove this relay, or add"
        #expect(said.contains(expected), "\(said)")
        let known = try Self.settings("relays: { \(last): {} }", "handset")
        #expect(try known.policy(accounts: Self.accounts, board: board).relays.count == 1)
    }

    @Test func emptyConfigurationUsesDefaults() throws {
        var expected = PhonePolicy()
        // The vault's first account, the country's ringing cadence, and a language if there is a display.
        expected.defaultAccount = AccountID(4)
        expected.ringCadence = RingCadence([.seconds(2), .seconds(4)])
        expected.displayLanguage = .english
        #expect(try Self.policy("") == expected)
        #expect(try Self.policy("", accounts: AccountLabels([])).defaultAccount == .direct)
    }

    /// The phone and its sound start with the same route, because only changes are reported.
    @Test(arguments: [("handset", Route.handset), ("speaker", .speaker), ("speaker headset", .speaker)])
    func routeAtStartHasDevice(_ devices: String, _ route: Route) throws {
        let settings = try Self.settings("", devices)
        #expect(settings.media.firstRoute == route && settings.media.devices[route] != nil)
        #expect(try Self.policy("", devices: devices).defaultRoute == route)
    }

    @Test(arguments: DialPlan.presets.map(\.name)) func dialPlanMayBePreset(_ name: String) throws {
        let plan = try #require(DialPlan(named: name))
        #expect(try Self.policy("calls: { dial_plan: \(name) }").dialPlan == plan)
        let other = try Self.policy("calls: { dial_plan: \(name), emergency: [\"000\"] }").dialPlan
        #expect(other.patterns == plan.patterns && other.emergency == ["000"])
    }

    @Test(
        arguments: [
            ([], true), ([.digit(.one)], true), ([.hold], false), ([.transfer], false), ([.flash], false),
        ] as [(Set<Key>, Bool)])
    func boardWithoutHoldKeyHasFlash(keys: Set<Key>, hasFlash: Bool) throws {
        #expect(try Self.policy("", keys: keys).flash == (hasFlash ? FlashTimes() : nil))
        #expect(try Self.policy("panel: { flash: off }", keys: keys).flash == nil)
        #expect(try Self.policy("panel: { flash: {} }", keys: keys).flash == FlashTimes())
    }

    @Test func dialPlanMayBeWritten() throws {
        let plan = try Self.policy("calls: { dial_plan: [\"[1-7]xx\", \"0x.\"] }").dialPlan
        #expect(plan.patterns == ["[1-7]xx", "0x."] && plan.emergency == DialPlan.open.emergency)
        #expect(plan.verdict("123") == .complete)
    }

    static let mistakes: [(text: String, message: String)] = [
        ("calls: { maximum: 9 }", "calls.maximum: expected a whole number from 1 to 8, found \"9\""),
        ("calls: { maximum_length: 5 s }", "calls.maximum_length: expected a duration from 10 s to 1 d"),
        ("calls: { decline_as: rude }", "calls.decline_as: expected busy or declined, found \"rude\""),
        ("calls: { announce: nobody }", "calls.announce: expected panel, interface or both, found \"nobody\""),
        ("calls: { blocked: [\"+\"] }", "calls.blocked[1]: expected a caller's number or name, found \"+\""),
        ("calls: { dial_plan: FR }", "calls.dial_plan: expected US, GB, DE, office or open, found \"FR\""),
        ("calls: { dial_plan: [] }", "calls.dial_plan: expected a list of 1 to 64, each a pattern"),
        ("calls: { dial_plan: {} }", "calls.dial_plan: expected US, GB, DE, office or open, or a list"),
        ("calls: { dial_plan: [xx, \"1[2\"] }", "calls.dial_plan: pattern 2, column 4: expected a digit, *, #, + or ]"),
        ("calls: { emergency: [\"1\"] }", "calls.emergency[1]: expected 2 to 8 of 0-9 * #, found \"1\""),
        ("calls: { emergency: [\"*1\"] }", "calls.emergency: emergency number 1, column 1: expected 2 to 8 digits"),
        ("calls: { emergency: [] }", "calls.emergency: expected a list of 1 to 16"),
        ("calls: { auto_answer: {} }", "calls.auto_answer: missing key \"callers\""),
        ("calls: { auto_answer: { callers: [] } }", "calls.auto_answer.callers: expected a list of 1 to 256"),
        (
            "calls: { auto_answer: { callers: [100] } }",
            "calls: auto_answer: sound.speaker is missing"
        ),
        ("calls: { rings: { a: [1 s] } }", "calls.rings.a: expected a list of 2 to 16"),
        (
            "calls: { rings: { a: [1 s, 1 s, 1 s] } }",
            "calls.rings: a has 3 phases; expected an even number: pairs of sound and pause"
        ),
        ("calls: { rings: { a: [1 s, 0 s] } }", "calls.rings.a[2]: expected a duration from 20 ms to 1 min"),
        ("calls: { account_rings: { home: x } }", "calls.account_rings: there is no ring \"x\"; calls.rings has none"),
        (
            "calls: { speed_dials: { 17: 100 } }",
            "calls.speed_dials: expected a whole number from 1 to 16, found \"17\""
        ),
        ("calls: { speed_dials: { 1: police } }", "calls.speed_dials.1: expected a number or a SIP address"),
        ("calls: { speed_dials: { 1: [] } }", "calls.speed_dials.1: expected a list of 1 to 8"),
        (
            "calls: { speed_dials: { 1: { targets: 1000, hours: [ { from: 24:00, to: 01:00, targets: 200 } ] } } }",
            "calls.speed_dials.1.hours[1].from: expected a time of day such as 08:30, found \"24:00\""
        ),
        ("calls: { speed_dials: { 1: { account: home } } }", "calls.speed_dials.1: missing key \"targets\""),
        (
            "calls: { organization_keys: { 17: 42 } }",
            "calls.organization_keys: expected a whole number from 1 to 16, found \"17\""
        ),
        (
            "calls: { organization_keys: { 3: \"\" } }",
            "calls.organization_keys.3: expected an organization of 1 to 256 characters"
        ),
        (
            "calls: { speed_dials: { 3: 200 }, organization_keys: { 2: 17, 3: 42 } }",
            "calls.organization_keys.3: key 3 is also in calls.speed_dials; remove one of the two"
        ),
        ("calls: { voicemail: { home: now } }", "calls.voicemail.home: expected a number or a SIP address"),
        ("calls: { line_keys: [a, a, a, a, a, a, a, a, a] }", "calls.line_keys: expected a list of 0 to 8"),
        ("alarms: { tamper: 200 }", "alarms: alarms use the speaker, but sound.speaker is missing"),
        ("alarms: { tamper: [] }", "alarms.tamper: expected a list of 1 to 8"),
        ("alarms: { Tamper: 200 }", "alarms: expected an input's name: 1 to 32 of a-z, 0-9 and -, found \"Tamper\""),
        (
            "alarms: { tamper: { targets: 200, pause: 1 s } }",
            "alarms.tamper.pause: expected a duration from 5 s to 1 d"
        ),
        ("alarms: { tamper: { targets: 200, watch: phone } }", "alarms.tamper: unknown key \"watch\""),
        ("relays: { 0: {} }", "relays: expected a whole number from 1 to 8, found \"0\""),
        ("relays: { 9: {} }", "relays: expected a whole number from 1 to 8, found \"9\""),
        ("relays: { 1: { code: \"\" } }", "relays.1.code: expected 4 to 15 of 0-9 * A-D, then a #"),
        ("relays: { 1: { code: \"471#\", callers: [200] } }", "relays.1.code: expected 4 to 15 of 0-9 * A-D, then a #"),
        ("relays: { 1: { code: \"4711\", callers: [200] } }", "relays.1.code: expected 4 to 15 of 0-9 * A-D, then a #"),
        (
            "relays: { 1: { code: \"47#11#\", callers: [200] } }",
            "relays.1.code: expected 4 to 15 of 0-9 * A-D, then a #"
        ),
        ("relays: { 1: { code: \"4711#\" } }", "relays.1.code: needs callers, the numbers that may dial it"),
        ("relays: { 1: { code: \"4711#\", callers: [] } }", "relays.1.callers: expected a list of 1 to 256"),
        ("relays: { 1: { code: \"4711#\", callers: [\"200@\"] } }", "relays.1.callers[1]: expected a number or name"),
        ("calls: { transfer_targets: [\"1[2\"] }", "calls.transfer_targets: pattern 1, column 4"),
        ("relays: { 1: { pulse: 1 ms } }", "relays.1.pulse: expected a duration from 100 ms to 10 min"),
        ("panel: { flash: on }", "panel.flash: expected automatic or off, found \"on\""),
        ("panel: { flash: [] }", "panel.flash: expected automatic or off, or a section, found a list"),
        (
            "panel: { flash: { shortest: 900 ms } }",
            "panel.flash: must be longer than shortest"
        ),
        ("panel: { digit_time: 0 s }", "panel.digit_time: expected a duration from 1 s to 30 s"),
        ("panel: { digit_tim: 3 s }", "panel: unknown key \"digit_tim\" (did you mean \"digit_time\"?)"),
        ("network: { timeout: 1 s }", "network.timeout: expected a duration from 5 s to 10 min"),
        ("media: { silence_timeout: 5 s }", "media.silence_timeout: expected a duration from 6 s to 1 h"),
    ]

    @Test func mistakeIsNamedWithItsPlace() {
        for (text, message) in Self.mistakes {
            #expect("\(text)") { try Self.policy(text) } throws: {
                "\($0)".contains(".yaml:4:") && "\($0)".contains(message)
            }
        }
    }

    static let strangers: [(text: String, key: String)] = [
        ("calls: { account: work }", "calls.account"), ("calls: { line_keys: [home, work] }", "calls.line_keys[2]"),
        ("calls: { voicemail: { work: 1571 } }", "calls.voicemail"),
        ("calls: { organizations: { work: 17 } }", "calls.organizations"),
        ("relays: { 2: { code: \"4711#\", callers: [200], accounts: [home, work] } }", "relays.2.accounts[2]"),
        ("calls: { rings: { a: [1 s, 1 s] }, account_rings: { work: a } }", "calls.account_rings"),
        ("calls: { speed_dials: { 3: { targets: 100, account: work } } }", "calls.speed_dials.3.account"),
    ]

    @Test func unknownAccountIsNamed() {
        for (text, key) in Self.strangers {
            #expect("\(text)") { try Self.policy(text) } throws: {
                "\($0)" == "\(key): there is no account \"work\"; known accounts: Büro, home"
            }
        }
    }
}
