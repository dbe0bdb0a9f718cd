import Bench
import Foundation
import Rig
import Testing

/// `offhook board` on a machine without the lines; `Scripts/board-vm` tests it with them.
@Suite struct BoardCommandTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func checked(_ text: String) throws -> Command {
        let file = workplace.path + "/board.yaml"
        try TextFile.write(text, to: file)
        return try Command(["board", "check", file], in: workplace)
    }

    @Test func everyProjectBoardIsReadAndMissingPartsAreNamed() throws {
        let folder = Workplace.root + "/board"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let command = try Command(["board", "check", "\(folder)/\(name)"], in: workplace)
            let isSimulated = name == "simulator.yaml"
            #expect(command.exit == .status(isSimulated ? 0 : 1), "\(name): \(command.output)")
            #expect(command.output.contains(isSimulated ? "a simulated panel" : "panel."), "\(name): \(command.output)")
        }
    }

    @Test(arguments: [
        (
            "name: A\npanel:\n  backend: gpiod\n  chip: none-here\n  hook: {line: A, polarity: sideways}\n",
            "board.yaml:5:29: panel.hook.polarity: expected active-high or active-low"
        ),
        ("name: A\npanel:\n  backend: gpiod\n  chip: none-here\n  hook: {line: A}\n", "chip \"none-here\" not found"),
        (
            "name: A\npanel:\n  backend: gpiod\n  chip: a\n  hook: {line: A}\n  ringer: {line: A}\n",
            "serves both panel.hook and panel.ringer"
        ),
    ])
    func mistakeIsReportedWithItsPlace(text: String, words: String) throws {
        let command = try checked(text)
        #expect(command.exit == .status(1) && command.output.contains(words), "\(command.output)")
    }

    @Test func unwatchableBoardIsRefused() throws {
        let simulated = try Command(["board", "watch", Workplace.root + "/board/simulator.yaml"], in: workplace)
        #expect(simulated.exit == .status(1) && simulated.output.contains("a simulated panel"), "\(simulated.output)")
        let missing = try Command(["board", "watch", "/nowhere/board.yaml"], in: workplace)
        #expect(missing.exit == .status(1) && missing.output.contains("/nowhere/board.yaml"), "\(missing.output)")
    }

    @Test func listReportsMissingChips() throws {
        let command = try Command(["board", "list"], in: workplace)
        let hasChips = FileManager.default.fileExists(atPath: "/dev/gpiochip0")
        #expect(command.exit == .status(0) && command.output.contains("no GPIO chip") != hasChips, "\(command.output)")
    }

    // MARK: Switching outputs off

    private static let door =
        "name: Door\npanel:\n  backend: gpiod\n  chip: none-here\n  relays: [{line: A}, {line: B}]\n"

    /// A configuration with a mistake; only its board can be read.
    @Test func resetNeedsOnlyBoard() throws {
        try TextFile.write(Self.door, to: workplace.path + "/door.yaml")
        let configuration = workplace.path + "/offhook.yaml"
        try TextFile.write("board: door.yaml\nsoundd: {}\nvault: {file: vault}\n", to: configuration)
        let command = try Command(["board", "reset", "--config", configuration], in: workplace)
        // The chip is missing, which is reported for each line.
        #expect(command.exit == .status(1), "\(command.output)")
        for words in [
            "panel.relays[1]: chip \"none-here\"", "panel.relays[2]: chip \"none-here\"", "2 lines could not",
        ] {
            #expect(command.output.contains(words), "\(words): \(command.output)")
        }
    }

    /// The killed phone had other lines than the configuration names now, or the configuration cannot be read.
    @Test(arguments: [
        "board: other.yaml\nvault: {file: vault}\n", "board: other.yaml\nvault: {file: vault}\nsound: [\n",
    ])
    func resetUsesBoardOfLastRun(text: String) throws {
        let folder = try workplace.phoneFolder("phone", .init(port: 26_300, firstMediaPort: 26_640))
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        phone.process.signal(SIGKILL)
        #expect(phone.process.wait(upTo: .seconds(5)) == .signal(SIGKILL))
        let last = folder.path + "/last-board.yaml"
        #expect(
            try String(contentsOfFile: last, encoding: .utf8)
                == String(contentsOfFile: Workplace.board, encoding: .utf8))
        try TextFile.write(Self.door.replacingOccurrences(of: "Door", with: "Last"), to: last)
        try TextFile.write(
            Self.door.replacingOccurrences(of: "none-here", with: "nor-here"), to: folder.path + "/other.yaml")
        try TextFile.write(text, to: folder.configuration)
        let command = try Command(
            program: [
                "env", "STATE_DIRECTORY=\(folder.path)", Workplace.phone, "board", "reset", "--config",
                folder.configuration,
            ], in: workplace)
        #expect(command.exit == .status(1) && command.output.contains("none-here"), "\(command.output)")
        #expect(command.output.contains("nor-here") == !text.contains("["), "\(command.output)")
    }

    @Test func resetWithoutBoardFails() throws {
        let command = try Command(
            program: [
                "env", "STATE_DIRECTORY=/nowhere", Workplace.phone, "board", "reset", "--config", "/nowhere/c.yaml",
            ],
            in: workplace)
        #expect(command.exit == .status(1) && command.output.contains("nothing was switched off"), "\(command.output)")
    }

    // MARK: Trying outputs

    private static let outputs = """
        name: A
        panel:
          backend: simulated
          chip: a
          lamps: {ringing: {line: A}}
          ringer: {line: B}
          relays: [{line: C}]

        """

    private func tested(_ words: [String] = [], answers: [String]) throws -> Command {
        let file = workplace.path + "/outputs.yaml"
        try TextFile.write(Self.outputs, to: file)
        return try Command(
            ["board", "test", file] + words, in: workplace, input: answers.map { $0 + "\n" }.joined())
    }

    /// The last states of the simulated panel's outputs.
    private func last(_ output: String) -> [String: String] {
        var last: [String: String] = [:]
        for line in output.split(separator: "\n") {
            for part in ["lamp ringing", "bell", "relay 1"] where line.contains("  \(part): o") {
                last[part] = line.hasSuffix(": on") ? "on" : "off"
            }
        }
        return last
    }

    @Test func eachOutputIsSwitchedAndAskedAbout() throws {
        let command = try tested(answers: ["", "y", "yes", "", ""])
        #expect(command.exit == .status(0), "\(command.output)")
        #expect(command.output.contains("Lamp ringing: does it blink four times a second?"), "\(command.output)")
        #expect(command.output.contains("5 worked, 0 did not."), "\(command.output)")
        #expect(command.output.contains("Relays were not tried"), "\(command.output)")
        #expect(last(command.output) == ["lamp ringing": "off", "bell": "off"], "\(command.output)")
        // Two seconds of a bell that sounds for 400 ms and pauses for 200 ms: at least three times, however late.
        #expect(command.output.split(separator: "\n").count { $0.hasSuffix("  bell: on") } >= 3, "\(command.output)")
    }

    @Test func failedOutputFailsCommandAndRelayNeedsConsent() throws {
        let command = try tested(["--relays"], answers: ["no", "skip", "perhaps", "yes", "yes", "yes", "yes", "no"])
        #expect(command.exit == .status(1), "\(command.output)")
        for words in [
            "failed     lamp ringing: on, without blinking", "not tried  lamp ringing: blink once a second",
            "failed     relay 1", "3 worked, 2 did not.", "Please answer", "It may open a door.",
        ] { #expect(command.output.contains(words), "\(words): \(command.output)") }
        #expect(last(command.output) == ["lamp ringing": "off", "bell": "off", "relay 1": "off"], "\(command.output)")
        let refused = try tested(["--relays"], answers: ["", "", "", "", "", ""])
        #expect(refused.exit == .status(0) && refused.output.contains("not tried  relay 1"), "\(refused.output)")
        #expect(last(refused.output)["relay 1"] == nil, "\(refused.output)")
    }

    @Test(arguments: [SIGTERM, SIGINT]) func anyEndSwitchesOutputsOff(signal: Int32) throws {
        let (file, answers, log) = (workplace.path + "/o.yaml", workplace.path + "/answers", workplace.path + "/said")
        try TextFile.write(Self.outputs, to: file)
        #expect(mkfifo(answers, 0o600) == 0)
        // A process that holds both ends of a pipe never reads its end, unless it is closed.
        let program = try ChildProcess(
            ["sh", "-c", "exec \"$0\" board test \"$1\" <>\"$2\"", Workplace.phone, file, answers], log: log)
        func said() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
        for _ in 0..<1_000 where !said().contains("lamp ringing: on") { MonotonicTime.sleep(.milliseconds(10)) }
        program.signal(signal)
        #expect(program.wait(upTo: .seconds(10)) == .status(1), "\(said())")
        #expect(last(said()) == ["lamp ringing": "off"] && said().contains("interrupted"), "\(said())")
    }

    @Test func endOfAnswersLeavesNothingOn() throws {
        let command = try tested(answers: ["yes"])
        #expect(command.exit == .status(1) && command.output.contains("the input has ended"), "\(command.output)")
        #expect(last(command.output) == ["lamp ringing": "off"], "\(command.output)")
    }

    @Test func boardWithoutOutputsHasNothingToTest() throws {
        let file = workplace.path + "/none.yaml"
        try TextFile.write("name: A\npanel:\n  backend: simulated\n  chip: a\n  relays: [{line: C}]\n", to: file)
        let command = try Command(["board", "test", file], in: workplace)
        #expect(command.exit == .status(1) && command.output.contains("besides relays (--relays)"), "\(command.output)")
    }

    // MARK: Learning and measuring

    @Test func learnNeedsTerminalAndChip() throws {
        let piped = try Command(["board", "learn", "board.yaml"], in: workplace, input: "yes\n")
        #expect(piped.exit == .status(1) && piped.output.contains("no terminal to ask at"), "\(piped.output)")
        let words = "'\(Workplace.phone)' board learn --chip nowhere '\(workplace.path)/new.yaml'"
        let typed = try Command(program: ["script", "-qec", words, "/dev/null"], in: workplace)
        #expect(typed.exit == .status(1) && typed.output.contains("no usable chip \"nowhere\""), "\(typed.output)")
        #expect(!FileManager.default.fileExists(atPath: workplace.path + "/new.yaml"))
    }

    @Test func unmeasurableBoardIsRefused() throws {
        let simulated = try Command(["board", "latency", Workplace.root + "/board/simulator.yaml"], in: workplace)
        #expect(simulated.exit == .status(1) && simulated.output.contains("a simulated panel"), "\(simulated.output)")
        let endless = try Command(["board", "latency", "--events", "0", "board.yaml"], in: workplace)
        #expect(endless.exit == .status(64) && endless.output.contains("1 to 10000"), "\(endless.output)")
    }
}
