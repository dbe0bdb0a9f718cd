import Base
import Control
import JSON
import PhoneCore
import Testing

@Suite struct TextTests {
    static let snapshot = PhoneSnapshot(
        calls: [
            CallSummary(
                call: CallID(.phone, 3), direction: .outgoing, phase: .onHold, number: "100", name: "Anna",
                isWithheld: false, account: .direct, heldHere: true, heldThere: false,
                started: Instant(nanoseconds: 0), answered: Instant(nanoseconds: 10_000_000_000), farEndRings: false,
                impaired: true, announcedByInterface: false, protection: .sdes),
            CallSummary(
                call: CallID(.line(AccountID(3)), 12), direction: .incoming, phase: .ringingIn, number: "+4930123",
                name: nil, badge: "Other Ltd", verification: .failed, isWithheld: false, account: AccountID(3),
                heldHere: false, heldThere: false, started: Instant(nanoseconds: 155_000_000_000), answered: nil,
                farEndRings: false, impaired: false, announcedByInterface: false),
        ], hook: .offHook, digits: "12", muted: true, route: .handset, tone: .callWaiting,
        registrations: [AccountID(3): .failed("no answer"), .direct: .notNeeded],
        lamps: [.line: .on, .hold: .slowBlink, .mute: .off, .account(2): .fastBlink], ringing: false,
        settings: settings,
        missed: [
            MissedCall(
                call: CallID(.line(AccountID(3)), 11), number: "sip:eve:geheim@example.org", name: nil,
                organisation: "Other Ltd", account: AccountID(3), at: Instant(nanoseconds: 100_000_000_000),
                reason: .rejectedBusy)
        ], missedCount: 5, messagesWaiting: 2, messages: [AccountID(3): 2], network: .reconnecting, networkKind: .wifi,
        organisation: Organisation(id: OrganisationID("o-7"), name: "Acme"), switchingTo: OrganisationID("o-8"),
        panel: PanelStates(inputs: ["tamper", "door"], relays: [3, 1], alarms: ["tamper"]), conference: true,
        interrupted: true,
        recording: CallID(.phone, 3), playback: Playback(number: 4, call: CallID(.phone, 3), file: "menu/hello.wav"),
        page: Page(group: 2, label: "hall"),
        display: DisplayContent(
            title: "Anna", detail: "On hold", since: Instant(nanoseconds: 10_000_000_000), notes: ["Muted"]))

    private static var settings: PhoneSettings {
        var settings = PhoneSettings()
        (settings.doNotDisturb, settings.callVolume, settings.ringVolume) = (true, 9, 0)
        return settings
    }

    /// The answer of `getSnapshot`, at 161 s.
    private static func status() throws -> JSONValue {
        var status: JSONValue = nil
        try TestPhone.run(manner: .shows(snapshot)) { phone in
            status = try phone.client().call("getSnapshot")
        }
        var members = try #require(status.object)
        members["at"] = 161_000_000_000
        return .object(members)
    }

    @Test(arguments: [
        (CallProtection.clear, "not encrypted"), (.sdes, "encrypted"), (.dtls, "encrypted (DTLS)"),
        (.verified, "encrypted (DTLS), words compared"),
    ])
    func protectionIsShownAsText(protection: CallProtection, words: String) throws {
        var members = try #require(Self.status().object)
        var call = try #require(members["calls"]?.array?.first?.object)
        call["protection"] = .string(protection.rawValue)
        members["calls"] = [.object(call)]
        let lines = StatusText.lines(.object(members))
        #expect(lines.contains { $0.hasSuffix("Anna  \(words), no voice arrives") }, "\(lines)")
    }

    @Test func statusIsTable() throws {
        #expect(
            StatusText.lines(try Self.status()) == [
                "handset  off hook           route handset",
                "sound    call waiting tone  microphone muted, in conference, interrupted, recording out-3, "
                    + "playing menu/hello.wav into out-3, playing the page of hall",
                "bell     quiet              lamps hold slow blink, line on, line-2 fast blink",
                "volume   call 9, ring 0     do not disturb",
                "network  reconnecting       organization Acme",
                "waiting  5 missed calls     2 messages",
                "digits   12",
                "lines",
                "  direct  not needed",
                "  Büro    failed: no answer",
                "calls",
                "  out-3    outgoing  on hold (by us)  02:31  direct  100       Anna  encrypted, no voice arrives",
                "  in-3.12  incoming  ringing in       00:06  Büro    +4930123        "
                    + "[Other Ltd], number check: failed",
                "missed",
                "  in-3.11  01:01 ago  rejected busy  Büro  sip:eve@example.org    Other Ltd",
            ])
    }

    @Test(arguments: [("ended", "off"), ("active", "open"), ("onHold", "off"), ("ringingIn", "off")])
    func microphoneIsOpenInCallOnly(phase: String, state: String) {
        let lines = StatusText.lines(["calls": [["phase": .string(phase)]], "muted": false])
        #expect(lines.contains { $0.hasSuffix("microphone \(state)") }, "\(lines)")
    }

    @Test func anyValueCanBeShown() {
        let strange: [JSONValue] = [
            nil, 7, [:], ["calls": 7], ["calls": [[:], nil]], ["registrations": [7]], ["lamps": []],
            ["at": .integer(.max), "calls": [["started": .integer(.min)]]], ["missed": [[:], 7]], ["settings": 7],
            ["organization": ["name": 7], "missedCount": "x"],
        ]
        for value in strange { #expect(StatusText.lines(value).count >= 8) }
        #expect(StatusText.lines([:]).suffix(2) == ["lines    none", "calls    none"])
    }

    @Test(arguments: [
        (0, "00:00"), (59, "00:59"), (60, "01:00"), (3_599, "59:59"), (3_600, "01:00:00"), (360_000, "100:00:00"),
        (-5, "00:00"),
    ]) func durationsAreMinutesAndSeconds(seconds: Int64, text: String) {
        let call: JSONValue = ["call": "out-1", "answered": 0]
        let lines = StatusText.lines(["at": .integer(seconds * 1_000_000_000), "calls": [call]])
        #expect(lines.last?.contains("  \(text)  ") == true)
    }

    @Test func eventIsOneLine() {
        let summary: JSONValue = [
            "call": "out-1", "direction": "outgoing", "phase": "active", "number": "100", "name": nil,
        ]
        let rows: [(ControlEvent, String)] = [
            (
                ControlEvent(
                    name: "callAnswered", at: Instant(nanoseconds: 3_020_999_999),
                    fields: ["call": "out-1", "summary": summary, "reason": "hungUpHere"]),
                "     2.020  callAnswered         out-1 outgoing active 100 reason=hungUpHere"
            ),
            (
                ControlEvent(
                    name: "line", at: Instant(nanoseconds: 999_000_000), fields: ["name2": "hook", "level": 1]),
                "    -0.001  line                 level=1 name2=hook"
            ),
            (ControlEvent(name: "quiet", at: Instant(nanoseconds: 1_000_000_000), fields: [:]), "     0.000  quiet"),
        ]
        for (event, line) in rows { #expect(EventText.line(event, since: Instant(nanoseconds: 1_000_000_000)) == line) }
    }

    @Test func callerCannotControlTerminal() {
        let evil = "\u{1B}]0;x\u{7}\r\n\u{202E}abc\u{9B}2J"
        let event = ControlEvent(name: evil, at: .zero, fields: [evil: .string(evil), "o": ["n": .string(evil)]])
        let call: JSONValue = [
            "number": .string(evil), "name": .string(evil), "phase": .string(evil), "badge": .string(evil),
            "verification": .string(evil), "reason": .string(evil),
        ]
        let line: JSONValue = ["account": 1, "label": .string(evil), "state": .string(evil)]
        let status: JSONValue = [
            "calls": [call], "missed": [call], "digits": .string(evil), "network": .string(evil),
            "organization": ["name": .string(evil)], "registrations": [line],
        ]
        let lines = [EventText.line(event, since: .zero)] + StatusText.lines(status)
        for scalar in lines.joined().unicodeScalars {
            #expect(![.control, .format].contains(scalar.properties.generalCategory))
        }
    }
}
