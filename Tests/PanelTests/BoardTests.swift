import Panel
import PhoneCore
import Testing
import YAML

@Suite("Board files")
struct BoardTests {
    @Test(
        "the shipped boards are read",
        arguments: [
            ("simulator", PanelLayout.Backend.simulated, "simulator", 16, 16, 9),
            ("raspberry-pi", .gpiod, "pinctrl-rp1, pinctrl-bcm2711, pinctrl-bcm2835", 12, 4, 3),
            ("beaglebone-black", .gpiod, "gpio-32-63", 12, 4, 3),
        ])
    func shippedBoardsAreRead(
        _ name: String, _ backend: PanelLayout.Backend, _ chip: String, _ keys: Int, _ buttons: Int, _ lamps: Int
    ) throws {
        let panel = try Board.load(path: "\(Boards.folder)/\(name).yaml").panel
        #expect(panel.backend == backend)
        #expect(panel.chip == chip)
        #expect(panel.keypad?.keys.flatMap { $0 }.count { $0 != nil } == keys)
        #expect(panel.buttons.count == buttons)
        #expect(panel.lamps.count == lamps)
        #expect(panel.hook?.debounce == .milliseconds(30))
        #expect(panel.bell != nil)
    }

    @Test("every key of a line is read")
    func everyKeyOfLineIsRead() throws {
        let hook = try #require(
            Boards.board(
                "  backend: gpiod\n  chip: a\n"
                    + "  hook: {line: GPIO17, chip: /dev/gpiochip3, polarity: active-low, bias: none, debounce: 1 s}"
            ).panel.hook)
        #expect(hook.line.key == "panel.hook")
        #expect(hook.line.line == .name("GPIO17"))
        #expect(hook.line.chip == "/dev/gpiochip3")
        #expect(hook.line.polarity == .activeLow)
        #expect(hook.line.bias == .none)
        #expect(hook.debounce == .seconds(1))
    }

    @Test("the shipped rotary telephone is read")
    func shippedRotaryTelephoneIsRead() throws {
        let panel = try Board.load(path: "\(Boards.folder)/raspberry-pi-classic.yaml").panel
        let dial = try #require(panel.dial)
        #expect(dial.pulse.line == .name("GPIO5"))
        #expect(dial.offNormal?.line == .name("GPIO6"))
        #expect(dial.timing == DialTiming())
        #expect(dial.map == .standard)
        #expect(panel.keypad == nil)
    }

    @Test("the shipped door station is read")
    func shippedDoorStationIsRead() throws {
        let panel = try Board.load(path: "\(Boards.folder)/raspberry-pi-kiosk.yaml").panel
        #expect(panel.buttons.map(\.key) == [.speedDial(1)])
        #expect(panel.inputs.map(\.key) == ["tamper", "door-open"])
        #expect(panel.inputs.map(\.value.debounce) == [.milliseconds(30), .milliseconds(200)])
        #expect(panel.relays.map(\.line.key) == ["panel.relays[1]"])
    }

    @Test("every key of a dial is read")
    func everyKeyOfDialIsRead() throws {
        let dial = try #require(
            Boards.board(
                "  backend: gpiod\n  chip: a\n  dial: {pulse: {line: 1}, debounce: 5 ms, silence: 300 ms, period: 180 ms, "
                    + "map: new-zealand}"
            ).panel.dial)
        #expect(
            dial.timing
                == DialTiming(debounce: .milliseconds(5), silence: .milliseconds(300), period: .milliseconds(180)))
        #expect(dial.offNormal == nil)
        #expect(dial.map == .newZealand)
    }

    @Test("keypad lines have their positions, and rows use a drive that tolerates shorts")
    func keypadLinesHaveTheirPositions() throws {
        let plan = PanelPlan(try Boards.small().panel)
        #expect(plan.lines[2].key == "panel.keypad.rows[2]")
        #expect(plan.lines[2].role == .output(.openDrain))
        #expect(plan.lines[2].polarity == .activeLow)
        #expect(plan.lines[4].key == "panel.keypad.columns[1]")
        #expect(plan.lines[4].bias == .pullUp)
        #expect(plan.lines[4].address.line == .offset(5))
        #expect(plan.keypad?.keys[2] == [.digit(.seven), .digit(.eight), nil])
    }

    @Test("matrix rows drive to the active level")
    func matrixRowsDriveToActiveLevel() throws {
        for (polarity, drive) in [("active-high", OutputSpec.Drive.openSource), ("active-low", .openDrain)] {
            let plan = PanelPlan(
                try Boards.board(
                    "  backend: gpiod\n  chip: a\n"
                        + "  keypad: {rows: [1], columns: [2], keys: [[1]], polarity: \(polarity), bias: none}"
                ).panel)
            #expect(plan.lines.map(\.role) == [.output(drive), .input])
        }
    }

    @Test("every key of an output's line is read, with its defaults")
    func everyKeyOfOutputLineIsReadWithItsDefaults() throws {
        let panel = try Boards.board(
            """
              backend: gpiod
              chip: a
              lamps:
                line: {line: 1, polarity: active-low, bias: pull-up, drive: open-drain, brightness: 50}
                hold: {line: 2}
              ringer: {forward: {line: 3, drive: open-source}, backward: {line: 4, drive: push-pull}}
              relays: [{line: 5, drive: open-drain}]
            """
        ).panel
        let lines = PanelPlan(panel).lines
        #expect(
            lines.map(\.role) == [.openDrain, .pushPull, .openSource, .pushPull, .openDrain].map { .output($0) })
        #expect(lines[0].polarity == .activeLow && lines[0].bias == .pullUp && panel.lamps[0].value.brightness == 50)
        #expect(lines[1].polarity == .activeHigh && lines[1].bias == .asIs && panel.lamps[1].value.brightness == 100)
    }

    @Test(
        "errors have their place",
        arguments: [
            (
                "  backend: simulated",
                """
                3:3: panel: missing key "chip": expected a chip's label or path of 1 to 31 characters, or a list of 2 to 8, \
                each a chip's label or path of 1 to 31 characters
                """
            ),
            ("  backend: magic\n  chip: a", "3:12: panel.backend: expected gpiod or simulated, found \"magic\""),
            (
                "  backend: gpiod\n  chip: a\n  hook: {line: 1, debounce: fast}",
                "5:29: panel.hook.debounce: expected a duration from 0 ms to 1 s, found \"fast\""
            ),
            (
                "  backend: gpiod\n  chip: a\n  hook: {line: 1, debonce: 3 ms}",
                "5:19: panel.hook: unknown key \"debonce\" (did you mean \"debounce\"?)"
            ),
            (
                "  backend: gpiod\n  chip: a\n  hook: {line: 1, drive: open-drain}",
                "5:19: panel.hook: unknown key \"drive\""
            ),
            (
                "  backend: gpiod\n  chip: a\n  relays: [{line: 1, drive: open}]",
                "5:29: panel.relays[1].drive: expected push-pull, open-drain or open-source, found \"open\""
            ),
            (
                "  backend: gpiod\n  chip: a\n  hook: {line: 1}\n  ringer: {line: 1}",
                "6:11: panel.ringer: line 1 of chip \"a\" serves both panel.hook and panel.ringer"
            ),
            (
                "  backend: gpiod\n  chip: a\n  keypad: {rows: [1], columns: [2, 3], keys: [[1]]}",
                "5:47: panel.keypad.keys[1]: expected a list of 2, each a key's name, or \"-\" for no key, found 1"
            ),
            (
                "  backend: gpiod\n  chip: a\n  keypad: {rows: [1, 2, 3, 4, 5, 6, 7, 8, 9], columns: [10], keys: [[1]]}",
                "5:18: panel.keypad.rows: expected a list of 1 to 8, each a line's name or number, found 9"
            ),
            (
                "  backend: gpiod\n  chip: a\n  keypad: {rows: [10], columns: [1, 2, 3, 4, 5, 6, 7, 8, 9], keys: [[1]]}",
                "5:33: panel.keypad.columns: expected a list of 1 to 8, each a line's name or number, found 9"
            ),
            (
                "  backend: gpiod\n  chip: a\n  keypad: {rows: [1], columns: [2, 3], keys: [[1, 1]]}",
                "5:46: panel.keypad.keys: key \"1\" appears twice"
            ),
            (
                "  backend: gpiod\n  chip: a\n  keypad: {rows: [1], columns: [2], keys: [[1]]}\n  buttons: {1: {line: 3}}",
                "6:12: panel.buttons: key \"1\" is also in the keypad"
            ),
            (
                "  backend: gpiod\n  chip: a\n  lamps: {disco: {line: 3}}",
                "5:11: panel.lamps: expected line, ringing, message, mute, hold, speaker, "
                    + "do-not-disturb, line-1, line-2, line-3, line-4, line-5, line-6, line-7, line-8, "
                    + (1...15).map { "speed-\($0), " }.joined().dropLast(2) + " or speed-16, found \"disco\""
            ),
            (
                "  backend: gpiod\n  chip: a\n  dial: {off_normal: {line: 3}}",
                "5:9: panel.dial: missing key \"pulse\": expected a section"
            ),
            (
                "  backend: gpiod\n  chip: a\n  dial: {pulse: {line: 3}, debounce: 0 ms}",
                "5:38: panel.dial.debounce: expected a duration from 1 ms to 20 ms, found \"0 ms\""
            ),
            (
                "  backend: gpiod\n  chip: a\n  dial: {pulse: {line: 3}, map: mars}",
                "5:33: panel.dial.map: expected standard, sweden, new-zealand or ten different digits, found \"mars\""
            ),
            (
                "  backend: gpiod\n  chip: a\n  dial: {pulse: {line: 3}, silence: 100 ms}",
                "5:9: panel.dial: a pulse's period must not be longer than the silence that ends a digit"
            ),
            (
                "  backend: gpiod\n  chip: a\n  dial: {pulse: {line: 3}, off_normal: {line: 3}}",
                "5:9: panel.dial: line 3 of chip \"a\" serves both panel.dial.pulse and panel.dial.off_normal"
            ),
            (
                "  backend: gpiod\n  chip: a\n  hook: {line: 3}\n  relays:\n    - {line: 2}\n    - {line: 3}",
                "7:5: panel.relays: line 3 of chip \"a\" serves both panel.hook and panel.relays[2]"
            ),
            (
                "  backend: gpiod\n  chip: a\n  inputs: {\"a b\": {line: 3}}",
                "5:12: panel.inputs: expected an input's name: 1 to 32 of a-z, 0-9 and -, found \"a b\""
            ),
            (
                "  backend: gpiod\n  chip: a\n  relays: []",
                "5:11: panel.relays: expected a list of 1 to 8, each a section, found 0"
            ),
        ])
    func errorsHaveTheirPlace(_ panel: String, _ expected: String) {
        do throws(YAMLError) {
            _ = try Boards.board(panel)
            Issue.record("it was taken")
        } catch {
            #expect("\(error)" == "t.yaml:" + expected)
        }
    }

    @Test("keys and names correspond one to one")
    func keysAndNamesCorrespondOneToOne() {
        #expect(Key.names.count == 68)
        for (name, key) in Key.names {
            #expect(key.name == name)
            #expect(Key(name: name) == key)
        }
        #expect(Key(name: "x") == nil)
        #expect(Key(name: "a") == nil)
    }
}
