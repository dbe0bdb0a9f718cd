import Base
import Control
import JSON
import Monitoring
import PhoneCore
import Testing
import offhook

/// A caller chooses its name. No place that shows it runs terminal commands, adds a line or imitates another text, and
/// programs get the name unchanged.
@Suite struct CallerNameTests {
    static let names: [(what: String, text: String)] = [
        ("HTML", #"<img src=x onerror="alert(1)"></script>&amp;'"#),
        ("commands of terminals", "a\u{1B}[2J\u{1B}]0;x\u{7}b\u{9B}2J\u{0}\u{8}\u{7F}"),
        ("lines", "a\nb\r\nc\u{B}d\u{C}e\u{85}f\u{2028}TEL:666\u{2029}g"),
        ("another direction", "\u{202E}gnp.exe\u{2066}x\u{2069}\u{200F}\u{61C}\u{202A}"),
        ("64 KiB", String(repeating: "A\u{301}", count: 65_536 / 3) + "\u{1B}c\u{202E}\n"),
        ("ends of a card, a label, a text", "END:VCARD\\n\",;}{\u{1}'\nTEL:666\nBEGIN:VCARD"),
    ]

    private static let account = AccountID(1)

    private static func summary(_ name: String) -> CallSummary {
        CallSummary(
            call: CallID(.line(account), 7), direction: .incoming, phase: .ringingIn, number: "200", name: name,
            badge: name, isWithheld: false, account: account, heldHere: false, heldThere: false, started: .zero,
            answered: nil, farEndRings: false, impaired: false, announcedByInterface: false)
    }

    /// Whether a terminal or screen would do anything but show it.
    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Each place that shows a name to a person, by its printed lines.
    private static let places: [(name: String, lines: @Sendable (String) -> [String])] = [
        (
            "log",
            { name in
                var log = PhoneLogLines(labels: [account: name])
                let notices: [Notice] = [
                    .callChanged(summary(name)), .callEnded(summary(name), .hungUpThere), .trouble(name),
                    .callEnded(summary(name), .blocked), .registrationChanged(account, .failed(name)),
                    .callRefused(
                        RefusedCall(account: account, number: name, name: name, from: name, reason: .noAudio)),
                    .pageStarted(Page(group: 1, label: name)),
                ]
                return notices.compactMap { log.line(for: $0)?.text }.map(StandardErrorLog.text)
            }
        ),
        (
            "ctl status and ctl missed",
            { name in
                let call: JSONValue = [
                    "call": "in-1.7", "direction": "incoming", "phase": "ringingIn", "number": .string(name),
                    "name": .string(name), "badge": .string(name), "at": 0, "reason": .string(name),
                ]
                let line: JSONValue = ["account": 1, "label": .string(name), "state": .string(name)]
                let snapshot: JSONValue = [
                    "at": 0, "calls": [call], "missed": [call], "registrations": [line], "digits": .string(name),
                    "organization": ["name": .string(name)], "page": ["label": .string(name)],
                ]
                return StatusText.lines(snapshot) + StatusText.missed(snapshot)
            }
        ),
        (
            "ctl history",
            { name in
                let call: JSONValue = ["number": .string(name), "name": .string(name), "message": .string(name)]
                return HistoryText.lines(["calls": [call]]) { _ in "" }
            }
        ),
        ("ctl contacts", { ContactText.lines([Contact(name: $0, number: $0, ring: $0)]) }),
        (
            "ctl token",
            { name in TokenText.lines(["tokens": [["label": .string(name), "scope": .string(name)]]]) { _ in "" } }
        ),
        ("ctl events", { [EventText.line(event($0), since: .zero)] }),
        (
            "ctl watch",
            { name in
                var model = WatchModel()
                model.take(event(name))
                model.show(["calls": [["call": "in-1.7", "name": .string(name), "phase": "ringingIn"]]])
                var lost = model
                lost.lose(name)
                let views = [model, lost].map { WatchView($0, width: 70_000, height: 40, at: .zero) }
                return views.flatMap { $0.rows.map(\.text) } + WatchView.changes(model) + WatchView.changes(lost)
            }
        ),
        (
            "metrics",
            { name in
                var page = MetricPage()
                page.add(.registrationFailures, 1, name)
                return page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            }
        ),
    ]

    private static func event(_ name: String) -> ControlEvent {
        ControlEvent(
            name: "incomingCall", at: .zero,
            fields: ["summary": ["call": "in-1.7", "number": .string(name), "name": .string(name)]])
    }

    @Test(arguments: names.map(\.what)) func hostileNameHasNoEffectAnywhere(_ what: String) throws {
        let name = try #require(Self.names.first { $0.what == what }?.text)
        for place in Self.places {
            let (lines, innocent) = (place.lines(name), place.lines("Anna"))
            #expect(lines.count == innocent.count, "\(place.name)")
            let commands = lines.joined().unicodeScalars.filter(Self.isCommand)
            #expect(commands.isEmpty, "\(place.name): \(commands.prefix(3).map(\.value))")
        }
    }

    /// The input of `on_event` programs, event readers, and `--json` output.
    @Test(arguments: names.map(\.what)) func programGetsWholeNameInOneLine(_ what: String) throws {
        let name = try #require(Self.names.first { $0.what == what }?.text)
        let line = Self.event(name).json.text
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(!line.unicodeScalars.contains { $0.changesDirection || $0.separatesLines })
        let read = try JSONValue(parsing: line)["summary"]?["name"]?.string
        #expect(read?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
    }

    @Test(arguments: names.map(\.what)) func contactCardStaysOneCard(_ what: String) throws {
        let name = try #require(Self.names.first { $0.what == what }?.text)
        let text = VCard.text(of: [Contact(name: name, number: "200"), Contact(name: "Bob", number: "300")])
        let entries = VCard.entries(in: text)
        #expect(entries.map(\.number) == ["200", "300"] && entries.last?.name == "Bob")
        let read = try #require(entries.first?.name)
        #expect(read.utf8.count <= 256 && !read.unicodeScalars.contains(where: Self.isCommand))
        let commands = text.unicodeScalars.filter { Self.isCommand($0) && $0 != "\r" && $0 != "\n" }
        #expect(commands.isEmpty, "\(commands.prefix(3).map(\.value))")
    }
}
