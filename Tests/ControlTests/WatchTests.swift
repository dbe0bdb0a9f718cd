import Base
import Control
import JSON
import Testing

/// `offhook ctl watch`, as rows of text.
@Suite struct WatchTests {
    private static func event(_ name: EventName, _ fields: [String: JSONValue] = [:], at seconds: Int64 = 1)
        -> ControlEvent
    {
        ControlEvent(name: name.rawValue, at: .zero + .seconds(seconds), fields: fields)
    }

    private static let snapshot: JSONValue = [
        "at": 10_000_000_000, "hook": "offHook", "route": "handset", "lamps": ["line": "on"],
        "calls": [
            [
                "call": "out-1", "direction": "outgoing", "phase": "active", "number": "100", "name": "Anna",
                "account": 1, "started": 0, "answered": 5_000_000_000,
            ]
        ], "registrations": [["account": 1, "label": "office", "state": "registered"]],
        "missed": [["call": "in-1.2", "number": "200", "at": 4_000_000_000, "reason": "timeout"]],
    ]

    private static func watched() -> WatchModel {
        var model = WatchModel()
        model.show(snapshot)
        for (jitter, mos) in [(0.0, 4.4), (25, 3.2), (80, 1.0)] {
            model.take(
                event(
                    .callQualityUpdated,
                    ["call": "out-1", "quality": ["mos": .number(mos), "jitterMs": .number(jitter), "lossPercent": 0]]))
        }
        model.take(event(.callAnswered, ["call": "out-1"]))
        return model
    }

    private static func text(_ model: WatchModel, _ width: Int, _ height: Int, at seconds: Int64 = 70) -> [String] {
        WatchView(model, width: width, height: height, at: .zero + .seconds(seconds)).rows.map(\.text)
    }

    @Test func usualTerminalShowsEverything() {
        let rows = Self.text(Self.watched(), 80, 24)
        #expect(rows.first == "calls" && rows.last == "q quits" && rows.count <= 24)
        #expect(rows.contains { $0.contains("out-1") && $0.contains("01:05") && $0.contains("Anna") }, "\(rows)")
        #expect(rows.contains("    MOS 1.0 █▅▁  jitter 80.0 ms ▁▅█  loss 0.0 % ▁▁▁"), "\(rows)")
        for word in ["office", "lamps line on", "200", "callAnswered"] {
            #expect(rows.contains { $0.contains(word) }, "\(word): \(rows)")
        }
    }

    @Test(arguments: [(80, 24), (40, 10), (20, 3), (1, 1), (0, 0), (300, 100)])
    func outputFitsTerminal(width: Int, height: Int) {
        var model = Self.watched()
        for number in 0..<500 { model.take(Self.event(.toneChanged, ["tone": "dial"], at: Int64(number))) }
        let rows = Self.text(model, width, height)
        #expect(rows.count <= max(1, height) && rows.allSatisfy { $0.count <= max(1, width) })
    }

    @Test func levelsAreShownInCall() {
        var model = Self.watched()
        #expect(model.hasCalls && !Self.text(model, 80, 24).contains { $0.contains("playback") })
        model.show(levelsOf: ["levels": ["microphone": -60, "playback": nil]])
        model.show(levelsOf: ["levels": ["microphone": -9, "playback": nil]])
        #expect(Self.text(model, 80, 24).contains("microphone -9 dB ▁▇  playback silent ▁▁"))
        model.show(levelsOf: ["levels": "loud"])
        #expect(Self.text(model, 80, 24).contains("microphone silent ▁▇▁  playback silent ▁▁▁"))
        model.lose("gone")
        #expect(!Self.text(model, 80, 24).contains { $0.contains("playback") })
    }

    @Test func smallestTerminalShowsCall() {
        #expect(Self.text(Self.watched(), 40, 3).contains { $0.contains("out-1") })
    }

    @Test func onlyRelevantChangesRequestSnapshot() {
        var model = WatchModel()
        #expect(model.isOutdated)
        model.show(Self.snapshot)
        model.take(Self.event(.callDurationUpdated, ["call": "out-1", "seconds": 1]))
        model.take(Self.event(.callQualityUpdated, ["call": "out-1", "quality": ["mos": 4]]))
        #expect(!model.isOutdated)
        model.take(Self.event(.muteStateChanged, ["muted": true]))
        #expect(model.isOutdated)
    }

    @Test func lostPhoneIsNotShown() {
        var model = Self.watched()
        model.lose("the phone closed the connection")
        let rows = Self.text(model, 80, 24)
        #expect(rows.first == "no phone: the phone closed the connection" && !rows.contains { $0.contains("Anna") })
        #expect(WatchView.changes(model) == ["no phone: the phone closed the connection"])
        model.show(Self.snapshot)
        #expect(Self.text(model, 80, 24).first == "calls")
    }

    @Test func timeAloneIsNoChange() {
        let before = WatchView.changes(Self.watched())
        guard case .object(var later) = Self.snapshot else { return }
        later["at"] = 99_000_000_000
        var model = Self.watched()
        model.show(.object(later))
        #expect(
            WatchView.changes(model) == before && before.contains("out-1 outgoing active office 100 Anna"), "\(before)")
    }

    @Test func callerCannotControlTerminal() {
        let evil = "\u{1B}]0;x\u{7}\r\n\u{202E}abc\u{9B}2J"
        var model = WatchModel()
        model.show([
            "calls": [["call": .string(evil), "name": .string(evil), "number": .string(evil), "phase": .string(evil)]],
            "registrations": [["account": 1, "label": .string(evil), "state": .string(evil)]],
            "missed": [["name": .string(evil), "call": .string(evil)]],
        ])
        model.take(
            Self.event(
                .callQualityUpdated, ["call": .string(evil), "quality": ["mos": .string(evil), "jitterMs": 1e300]]))
        model.take(ControlEvent(name: evil, at: .zero, fields: [evil: .string(evil)]))
        var gone = model
        gone.lose(evil)
        let rows =
            Self.text(model, 500, 100) + Self.text(gone, 500, 100) + WatchView.changes(model) + WatchView.changes(gone)
        for scalar in rows.joined().unicodeScalars {
            #expect(![.control, .format].contains(scalar.properties.generalCategory))
        }
    }

    @Test func repaintedTextDoesNotGrow() {
        var model = WatchModel()
        for number in 0..<10_000 {
            model.take(Self.event(.error, ["message": "x"]))
            model.take(Self.event(.callQualityUpdated, ["call": .string("out-\(number)"), "quality": ["mos": 4]]))
        }
        var other = WatchModel()
        for number in 0..<16 {
            other.take(Self.event(.callQualityUpdated, ["call": .string("out-\(number)"), "quality": ["mos": 4]]))
        }
        for _ in 0..<100 { other.take(Self.event(.error, ["message": "x"])) }
        #expect(model == other)
    }
}
