import Base
import Panel
import Rig
import Testing
import offhook

/// `offhook board learn` with scripted lines and a scripted person, in simulated time.
@Suite struct BoardLearningTests {
    /// GPIO2 to GPIO11 are watched; the person has lamps on others.
    private static let choice = LineChoice(
        (0..<16).map { offset in
            GPIOLine(
                offset: offset, name: offset == 15 ? "" : "GPIO\(offset)", consumer: offset == 14 ? "spi0 CS0" : nil,
                isOutput: offset > 11)
        })

    private func learn(_ telephone: ScriptedTelephone) throws -> LearntBoard {
        var learning = BoardLearning(
            chip: "pinctrl-bcm2711", lines: Array(Self.choice.usual[2...]), of: Self.choice, bias: .pullUp,
            backend: telephone, person: telephone, now: { telephone.now })
        return try learning.run()
    }

    private func telephone(
        _ script: [(words: String, act: ScriptedTelephone.Act)], restless: Int? = nil
    ) -> ScriptedTelephone {
        // The fifth contact is closed at rest.
        ScriptedTelephone(
            levels: (0..<10).map { $0 != 4 }, restless: restless, script: script)
    }

    @Test func learnWritesReadableBoardForWholeTelephone() throws {
        let telephone = telephone([
            ("Lift the handset", .moves([0], bounces: [0, 2, 5, 9, 13])),
            ("digit keys", .types("lines")),
            ("release 1.", .moves([1], bounces: [0])), ("release 2.", .moves([2], bounces: [0, 1.5, 3.2])),
            ("release 4.", .types("done")),
            ("another key", .types("hold")), ("release hold", .moves([3], bounces: [0])),
            ("no key", .types("tamper")), ("tamper active", .moves([4], bounces: [0, 40, 120])),
            ("line of a lamp", .types("ringing GPIO12")), ("line of a lamp", .types("message 13 active-low")),
            ("the bell", .types("15")),
            ("relay 1", .types("GPIO11 active-high")),
            ("Name of the board", .types("Hall: the old one")),
        ])
        let learnt = try learn(telephone)
        #expect(
            learnt.text == """
                # Written by `offhook board learn`. `offhook board watch` and `offhook board test` try it.

                name: "Hall: the old one"
                panel:
                  backend: gpiod
                  chip: pinctrl-bcm2711

                  hook: { line: GPIO2, polarity: active-low, bias: pull-up, debounce: 26 ms }

                  buttons:
                    "1": { line: GPIO3, polarity: active-low, bias: pull-up, debounce: 5 ms }
                    "2": { line: GPIO4, polarity: active-low, bias: pull-up, debounce: 7 ms }
                    hold: { line: GPIO5, polarity: active-low, bias: pull-up, debounce: 5 ms }

                  inputs:
                    tamper: { line: GPIO6, polarity: active-high, bias: pull-up, debounce: 20 ms }

                  lamps:
                    ringing: { line: GPIO12 }
                    message: { line: GPIO13, polarity: active-low }

                  ringer: { line: 15 }

                  relays:
                    - { line: GPIO11 }

                """, "\(learnt.text)")
        let panel = try learnt.board(file: "board.yaml").panel
        #expect(panel.hook?.debounce == .milliseconds(26) && panel.buttons.count == 3 && panel.relays.count == 1)
        #expect(telephone.remaining.isEmpty, "\(telephone.said)")
        #expect(!telephone.isOpen && telephone.opened.allSatisfy { $0.role == .input } && telephone.opened.count == 10)
        let words = "6 changes of level, bounces for 13000 µs: debounce 26 ms"
        #expect(telephone.said.contains(words), "\(telephone.said)")
    }

    @Test func skippingEverythingLearnsNothing() throws {
        let telephone = telephone([])
        #expect(try learn(telephone).isEmpty, "\(telephone.said)")
    }

    @Test func wrongOrSeveralLinesAreAskedForAgain() throws {
        let telephone = telephone([
            ("Lift the handset", .moves([0], bounces: [0])),
            ("another key", .types("hold")), ("release hold", .moves([0], bounces: [0])),
            ("is already used: the hook", .moves([1, 2], bounces: [0])),
            ("changed together: \"GPIO3\", \"GPIO4\"", .moves([2], bounces: [0])),
        ])
        let learnt = try learn(telephone)
        #expect(learnt.buttons.map(\.value.line) == [.name("GPIO4")], "\(telephone.said)")
        #expect(telephone.remaining.isEmpty)
    }

    @Test func matrixKeysAreFoundByDrivingItsLines() throws {
        let telephone = telephone([
            ("digit keys", .types("matrix")), ("Lines of the matrix", .types("7-10, GPIO14")),
            ("Lines of the matrix", .types("7-10")), ("Is only a keypad", .types("yes")),
            ("Press 1 ", .joins([(7, 9)])), ("Press 2 ", .joins([(7, 10)])), ("Press 3 ", .types("")),
            ("Press A ", .types("")), ("Press 4 ", .joins([(8, 9), (8, 10)])),
            ("several keys were pressed", .joins([(7, 9)])), ("this is key 1", .joins([(9, 10)])),
            ("did you press exactly one key", .joins([(9, 8)])),
            ("Press 5 ", .types("done")),
            ("another key of the matrix", .types("hold")), ("Press hold ", .joins([(8, 10)])),
            ("Name of another key, such", .types("mute")), ("release mute", .moves([1], bounces: [0])),
            ("line of a lamp", .types("ringing GPIO7")),
        ])
        let learnt = try learn(telephone)
        #expect(
            learnt.text.contains(
                """
                  keypad:
                    rows: [GPIO7, GPIO8]
                    columns: [GPIO9, GPIO10]
                    polarity: active-low
                    bias: pull-up
                    keys:
                      - ["1", "2"]
                      - ["4", hold]

                """), "\(learnt.text)")
        #expect(try learnt.board(file: "board.yaml").panel.keypad?.rows.count == 2)
        #expect(learnt.buttons.map(\.key) == ["mute"] && learnt.lamps.isEmpty)
        #expect(telephone.remaining.isEmpty, "\(telephone.remaining) \(telephone.said)")
        #expect(telephone.driven == [7, 8, 9, 10], "\(telephone.driven)")
        #expect(telephone.said.contains("line \"GPIO14\" is in use"), "\(telephone.said)")
    }

    @Test func noLineIsDrivenWithoutConsent() throws {
        let telephone = telephone([
            ("digit keys", .types("matrix")), ("Lines of the matrix", .types("GPIO7 GPIO8")),
            ("Is only a keypad", .types("no")),
        ])
        #expect(try learn(telephone).isEmpty && telephone.driven.isEmpty)
    }

    @Test func floatingLineIsSkipped() throws {
        let telephone = telephone([("Lift the handset", .moves([7], bounces: [0]))], restless: 6)
        #expect(try learn(telephone).hook?.line == .name("GPIO9"))
        #expect(telephone.said.contains("Line \"GPIO8\" changes although nobody touches it"), "\(telephone.said)")
    }

    @Test func invalidAnswerIsReportedAtOnce() throws {
        let telephone = telephone([
            ("Lift the handset", .moves([0], bounces: [0])),
            ("another key", .types("hols")), ("no key", .types("The Lid")),
            ("line of a lamp", .types("disco GPIO12")), ("line of a lamp", .types("ringing GPIO99")),
            ("line of a lamp", .types("ringing GPIO14")), ("line of a lamp", .types("ringing GPIO2")),
            ("line of a lamp", .types("ringing GPIO12 sideways")),
        ])
        let learnt = try learn(telephone)
        #expect(learnt.lamps.isEmpty && learnt.buttons.isEmpty && learnt.inputs.isEmpty)
        for words in [
            "found \"hols\"", "an input's name: 1 to 32 of a-z", "found \"disco\"", "the chip has no line \"GPIO99\"",
            "line \"GPIO14\" is in use by \"spi0 CS0\"", "line \"GPIO2\" is already used: the hook",
            "type active-high, active-low",
        ] { #expect(telephone.said.contains(words), "\(words): \(telephone.said)") }
        #expect(telephone.remaining.isEmpty)
    }
}
