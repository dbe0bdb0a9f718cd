import Commands
import Panel
import PhoneCore
import Synchronization

extension BoardCommand {
    struct Test {
        static var command: Command {
            Command(
                "test", "Try each lamp, the bell, relays and the display, and ask whether they work.",
                discussion: """
                    Each lamp is on, blinks slowly and fast, and flashes; the bell rings for two seconds; the display \
                    shows a text. All outputs are off afterwards, even after an error. A simulated panel prints its \
                    outputs. Exits 1 if a part did not work. First stop a phone that uses these lines.
                    """, BoardFile.input("The board file."),
                Parameter.flag(
                    "relays", "Also try relays, each for a second and only after a yes, because they may open a door.")
            ) { try Test(file: $0, relays: $1).run() }
        }

        let file: String
        let relays: Bool

        private func run() throws {
            let board = try Board.load(path: file)
            let trials = OutputTrial.all(of: board.panel, relays: relays)
            guard !trials.isEmpty || board.panel.display != nil else {
                let hint = board.panel.relays.isEmpty ? "" : " besides relays (--relays)"
                throw CommandError("\(file): the board has no outputs\(hint)")
            }
            try board.tryLines()
            let person = try BoardTerminal(needsPerson: false)
            let failure = FirstFailure()
            let panel = Panel(board: board, backend: Self.backend(board)) { failure.note($0) }
            try panel.start()
            var test = OutputTest(panel: panel, failure: failure, person: person)
            do {
                // Closing the panel switches all outputs off, before any further text.
                defer { panel.close() }
                try test.run(trials)
                if let display = board.panel.display { try test.tryDisplay(display) }
            }
            if !relays, !board.panel.relays.isEmpty { try person.say("Relays were not tried; --relays tries them.") }
            try summarise(test, person)
        }

        private func summarise(_ test: OutputTest, _ person: BoardTerminal) throws {
            for name in test.untried { try person.say("not tried  \(name)") }
            for name in test.failed { try person.say("failed     \(name)") }
            try person.say("\(test.passed.count) worked, \(test.failed.count) did not.")
            guard test.failed.isEmpty else { throw ExitCode.failure }
        }

        private static func backend(_ board: Board) -> any PanelBackend {
            guard board.panel.backend == .simulated else { return GPIODBackend() }
            return SimulatedBackend(board: board) { output in
                print("  \(words(output.part)): \(output.active ? "on" : "off")")
                // Flush each line, for a reader at a pipe. When that reader is gone, the questions end.
                do throws(CommandError) { try StandardOutput.flush() } catch { TerminationSignals.askForEnd() }
            }
        }

        private static func words(_ part: PanelOutput) -> String {
            switch part {
            case .lamp(let lamp): "lamp \(lamp.rawValue)"
            case .bell: "bell"
            case .relay(let number): "relay \(number)"
            }
        }
    }
}

/// One trial of `offhook board test`: the output, its pattern, and the question about it.
package struct OutputTrial: Equatable, Sendable {
    /// The output's name in the summary.
    package let name: String
    package let on: PanelEffect
    package let off: PanelEffect
    /// How long the output is on; nil: until the question is answered.
    package let time: Duration?
    package let question: String
    /// The question before the trial, if the output may act on the world.
    package let consent: String?

    /// All trials of a board, in the order of its file.
    /// - Parameter relays: Whether to try relays.
    package static func all(of panel: PanelLayout, relays: Bool) -> [OutputTrial] {
        let lamps = panel.lamps.flatMap { lamp, _ in Self.looks.map { Self.lamp(lamp, $0.pattern, $0.words) } }
        let count = relays ? panel.relays.count : 0
        return lamps + (panel.bell == nil ? [] : [bell]) + (0..<count).map { relay(UInt8($0 + 1)) }
    }

    private static let looks: [(pattern: LampPattern, words: String)] = [
        (.on, "on, without blinking"), (.slowBlink, "blink once a second"), (.fastBlink, "blink four times a second"),
        (.flutter, "flash twice each second"),
    ]

    private static func lamp(_ lamp: Lamp, _ pattern: LampPattern, _ words: String) -> OutputTrial {
        let isStill = pattern == .on
        return OutputTrial(
            name: "lamp \(lamp.rawValue): \(words)", on: .lamp(lamp, pattern), off: .lamp(lamp, .off), time: nil,
            question: "Lamp \(lamp.rawValue): \(isStill ? "is it" : "does it") \(words)?", consent: nil)
    }

    private static let bell = OutputTrial(
        name: "bell", on: .bell(RingCadence([.milliseconds(400), .milliseconds(200)])), off: .bell(nil),
        time: .seconds(2), question: "Bell: did it ring for two seconds?", consent: nil)

    private static func relay(_ number: UInt8) -> OutputTrial {
        OutputTrial(
            name: "relay \(number)", on: .relay(number, on: true), off: .relay(number, on: false), time: .seconds(1),
            question: "Relay \(number): did it switch on and off?",
            consent: "Relay \(number): switch it on for a second? It may open a door.")
    }
}

/// Runs trials of outputs one after the other, and stores the person's answers.
struct OutputTest {
    /// The shortest time of a lamp's pattern, so that answers from a pipe do not outrun it.
    private static let glimpse = Duration.milliseconds(300)

    let panel: Panel
    let failure: FirstFailure
    let person: any BoardPerson
    private(set) var passed: [String] = []
    private(set) var failed: [String] = []
    private(set) var untried: [String] = []

    init(panel: Panel, failure: FirstFailure, person: any BoardPerson) {
        (self.panel, self.failure, self.person) = (panel, failure, person)
    }

    mutating func run(_ trials: [OutputTrial]) throws {
        for trial in trials { try run(trial) }
    }

    private mutating func run(_ trial: OutputTrial) throws {
        if let consent = trial.consent {
            guard try person.confirm(consent, usual: false) else { return untried.append(trial.name) }
        }
        panel.perform(trial.on)
        // After an interruption the error closes the panel, which switches all outputs off.
        try person.pause(for: trial.time ?? Self.glimpse)
        if trial.time != nil { panel.perform(trial.off) }
        let answer = try person.choose(trial.question, usual: "yes", ["yes", "no", "skip"])
        panel.perform(trial.off)
        if let failure = failure.text { throw CommandError(failure) }
        take(answer, of: trial.name)
    }

    mutating func take(_ answer: String, of name: String) {
        switch answer {
        case "yes": passed.append(name)
        case "no": failed.append(name)
        default: untried.append(name)
        }
    }
}

extension OutputTest {
    /// Shows a text on the display and asks whether the person can read it.
    mutating func tryDisplay(_ spec: DisplaySpec) throws {
        let failure = FirstFailure()
        let content = DisplayContent(title: "Offhook", detail: "0123456789", notes: ["abc ÄÖÜ äöüß"])
        let display = Display(spec, showing: content) { failure.note($0) }
        try display.start()
        defer { display.close() }
        try person.pause(for: .seconds(1))
        if let why = failure.text {
            try person.say(why)
            return take("no", of: "display")
        }
        take(
            try person.choose("Display: can you read “Offhook”?", usual: "yes", ["yes", "no", "skip"]),
            of: "display")
    }
}

/// Keeps the reason of the first failure. From any thread.
final class FirstFailure: Sendable {
    private let first = Mutex<String?>(nil)

    var text: String? { first.withLock { $0 } }

    /// Ignores all events except failed lines.
    func note(_ event: PanelEvent) {
        guard case .failed(let why) = event else { return }
        note(why)
    }

    func note(_ why: String) {
        first.withLock { $0 = $0 ?? why }
    }
}
