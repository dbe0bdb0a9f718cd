import Base
import Commands
import Glibc
import JSON
import Panel
import PhoneCore
import Platform
import Synchronization
import YAML

/// Works with a board's hardware without a phone: lists lines, checks board files, tries parts.
enum BoardCommand {
    static var command: Command {
        .group(
            "board", "List this machine's GPIO lines, write a board file for them, and try it.",
            [list, check, watch, Learn.command, Test.command, latency, reset, rules])
    }

    /// The board file that a command needs.
    static var file: Input<String> { Parameter.argument("file", "The board file.", .file(ending: "yaml")) }

    private static var list: Command {
        Command(
            "list", "List the machine's GPIO chips and lines, and the programs that use them.",
            discussion: """
                With --json, a list of chips: path, label, problem and lines (offset, name, output, and user: null if \
                the line is free).
                """, Parameter.flag("json", "Print JSON.")
        ) { isJSON in
            let chips = GPIOChip.all()
            if isJSON { return print(JSONValue.array(chips.map(json)).text) }
            if chips.isEmpty { print("This machine has no GPIO chip.") }
            for chip in chips {
                print("\(chip.path)  \(chip.problem ?? "\"\(chip.label)\"")")
                for line in chip.lines() { print("  \(words(line))") }
            }
        }
    }

    private static func json(_ chip: GPIOChip) -> JSONValue {
        let lines = chip.lines().map { line -> JSONValue in
            [
                "offset": .integer(Int64(line.offset)), "name": .string(line.name), "output": .bool(line.isOutput),
                "user": line.consumer.map { .string($0) } ?? .null,
            ]
        }
        return [
            "path": .string(chip.path), "label": .string(chip.label),
            "problem": chip.problem.map { .string($0) } ?? .null, "lines": .array(lines),
        ]
    }

    private static func words(_ line: GPIOLine) -> String {
        let name = line.name.isEmpty ? "without a name" : "\"\(line.name)\""
        let user = line.consumer.map { $0.isEmpty ? ", in use" : ", in use by \"\($0)\"" } ?? ""
        return "\(line.offset)  \(name), \(line.isOutput ? "output" : "input")\(user)"
    }

    private static var check: Command {
        Command(
            "check", "Read a board file, and open all its lines once, as the phone does.",
            discussion: "First stop a phone that uses these lines. Outputs are inactive during the check.",
            example: "offhook board check /etc/offhook/board.yaml", file
        ) { file in
            let board = try Board.load(path: file)
            try board.tryLines()
            print("\(board.name): \(board.panel.backend == .gpiod ? "all lines can be used" : "a simulated panel")")
        }
    }

    private static var watch: Command {
        Command(
            "watch", "Show events of hook, keys, dial and inputs, until interrupted.",
            discussion: """
                Each line has the time in seconds, and the number of level changes that the event took: all after the \
                first are bounces. A table at the end shows the figures of each contact, except keys of a matrix. \
                First stop a phone that uses these lines.
                """, file
        ) { file in
            let board = try Board.load(path: file)
            guard board.panel.backend == .gpiod else { throw CommandError("\(file): a simulated panel has no lines") }
            try board.tryLines()
            let signals = TerminationSignals.block()
            let watch = ContactWatch(board)
            let backend = TimedBackend(GPIODBackend()) { edges, _ in watch.moved(edges) }
            let panel = Panel(board: board, backend: backend) { watch.tell($0) }
            try panel.start()
            _ = signals.wait()
            panel.close()
            try watch.summarise()
        }
    }
}

/// The commands that the service runs.
extension BoardCommand {
    private static var reset: Command {
        Command(
            "reset", "Switch off all outputs of the last used and of the configured board.",
            discussion: """
                The service runs this whenever its phone has ended: a killed phone could not, and some kernels leave a \
                released line at its last level. Each line is switched off on its own, relays first. From the \
                configuration only `board` is read. Lines that a running phone uses are not switched off.
                """, ConfigurationOption.input
        ) { phone in
            let remarks = TextOutput(descriptor: STDERR_FILENO)
            let boards = boards(phone, remarks)
            guard !boards.isEmpty else {
                throw CommandError("no board file could be read, so nothing was switched off")
            }
            let failures = boards.flatMap { $0.switchOff() }
            for failure in failures { remarks.write("\(failure)") }
            if !failures.isEmpty { throw CommandError("\(failures.count) lines could not be switched off") }
        }
    }

    /// The board with which the phone last ran, then the configured board if it is another.
    private static func boards(_ phone: ConfigurationOption, _ remarks: TextOutput) -> [Board] {
        var reference: BoardReference?
        do throws(YAMLError) {
            reference = try BoardReference(configuration: phone.config)
        } catch {
            remarks.write("\(error)")
        }
        let last = BoardMemory.places(vaultFile: reference?.vaultFile).first { unsafe access($0, F_OK) == 0 }
        return [last, reference?.board].compactMap { $0 }.reduce(into: []) { boards, path in
            do throws(YAMLError) {
                let board = try Board.load(path: path)
                if !boards.contains(board) { boards.append(board) }
            } catch {
                remarks.write("\(error)")
            }
        }
    }

    private static var rules: Command {
        Command(
            "rules", "Print udev rules that give the service access to its phone's devices and no others.",
            discussion: """
                The rules name the sound cards, GPIO chips and I2C buses that the configuration uses. The service \
                applies them at each start.
                """, ConfigurationOption.input,
            Parameter.flag(
                "apply", "Apply the rules until the machine is switched off (as root), instead of printing them.")
        ) { phone, applies in
            if applies { try DeviceRules.requireRoots(phone.config) }
            let settings = try phone.load()
            if applies { try DeviceRules.requireRoots(settings.boardFile) }
            let rules = try DeviceRules(settings)
            let remarks = TextOutput(descriptor: STDERR_FILENO)
            for note in rules.notes { remarks.write(note) }
            applies ? try rules.apply() : print(rules.text, terminator: "")
        }
    }
}

/// Prints one line for each event of a contact. A line has the seconds since the start, the event, and its changes of
/// level.
final class ContactWatch: Sendable {
    private struct State {
        var tally: ContactTally
        /// Whether the reader of the output is gone.
        var isUnread = false
    }

    private let began = MonotonicClock.now()
    private let state: Mutex<State>

    init(_ board: Board) { state = Mutex(State(tally: ContactTally(board))) }

    /// Counts edges. Called on the panel's thread, before the events that result from these edges.
    func moved(_ edges: [LineEdge]) { state.withLock { $0.tally.moved(edges) } }

    /// Prints an event. Called on the panel's thread.
    /// - Parameter more: Text that follows the event.
    func tell(_ event: PanelEvent, and more: String = "") {
        let edges = state.withLock { $0.tally.told(event) }
        let milliseconds = (MonotonicClock.now() - began).nanoseconds / 1_000_000
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        let changes = edges == 0 ? "" : ", \(edges) \(edges == 1 ? "change" : "changes") of level"
        print("\(milliseconds / 1_000).\(fraction)  \(Self.words(event))\(changes)\(more)")
        // Flush each line, for a reader at a pipe. When that reader is gone, the watch ends.
        do throws(CommandError) {
            try StandardOutput.flush()
        } catch {
            state.withLock { $0.isUnread = true }
            TerminationSignals.askForEnd()
        }
    }

    /// Prints the figures of each contact, unless the reader is gone.
    func summarise() throws(CommandError) {
        let (isUnread, table) = state.withLock { ($0.isUnread, $0.tally.table) }
        guard !isUnread else { return }
        // The terminal has echoed the Ctrl-C on this line.
        if isatty(STDOUT_FILENO) == 1 { print() }
        for line in table { print(line) }
        try StandardOutput.flush()
    }

    private static func words(_ event: PanelEvent) -> String {
        switch event {
        case .hookFound(let position): "hook: \(position == .offHook ? "off" : "on") at the start"
        case .hook(let position): "hook: \(position == .offHook ? "off" : "on")"
        case .pressed(let key): "key \(key.name): down"
        case .released(let key): "key \(key.name): up"
        case .input(let name, let active): "input \(name): \(active ? "active" : "at rest")"
        case .failed(let why): why
        }
    }
}

/// A copy of the last used board file, beside the vault. With it, `offhook board reset` can switch the outputs off even
/// if the configuration now has a mistake or names another board.
struct BoardMemory {
    private static let name = "last-board.yaml"

    let path: String

    init(vaultFile: String) { path = vaultFile.folder + Self.name }

    /// Possible places of a copy. In order: beside the configured vault, in the service's state folder from systemd,
    /// and beside the default vault.
    static func places(vaultFile: String?) -> [String] {
        let state = Environment["STATE_DIRECTORY"]?.split(separator: ":").first.map { String($0) + "/vault" }
        let files = [vaultFile, state, VaultSection().file].compactMap { $0 }
        return files.map { BoardMemory(vaultFile: $0).path }
    }

    /// Stores a copy of the board file, if it has changed.
    func keep(_ boardFile: String) throws(CommandError) {
        guard let text = try FileChange.text(of: boardFile), try FileChange.text(of: path) != text else { return }
        _ = unsafe unlink(path)
        _ = try FileChange(path: path, before: nil, after: text).write()
    }
}

/// The keys of a configuration that `offhook board reset` needs. Everything else in the file may be wrong.
struct BoardReference: Equatable {
    let board: String?
    let vaultFile: String?

    /// - Parameter path: The path of the configuration.
    init(configuration path: String) throws(YAMLError) {
        let document = try YAMLDocument(path: path)
        func absolute(_ text: String?) -> String? { text.map { $0.hasPrefix("/") ? $0 : path.folder + $0 } }
        board = absolute(document.text(at: ["board"]))
        vaultFile = absolute(document.text(at: ["vault", "file"]))
    }
}
