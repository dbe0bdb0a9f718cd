import Base
import Commands
import Control
import Glibc
import JSON
import Platform

/// Shows the phone live.
extension CtlCommand {
    /// The longest delay before a key or a new terminal size takes effect.
    private static let pause = Duration.milliseconds(100)

    static var watch: Command {
        Command(
            "watch", "Show the phone live on the whole terminal; q quits.",
            discussion: """
                Shows calls with time and quality, levels, lines, lamps, missed calls and the last events. Connects \
                again after the phone restarts. If standard output is no terminal, each change is a line. NO_COLOR \
                turns colours off. With --json each change is the snapshot as one line, or an object with "lost" while \
                there is no phone.
                """, AskedPhone.input
        ) { phone in
            let path = try phone.path
            let signals = TerminationSignals.block()
            // The first connection fails at once, for example at a wrong socket. Only a lost phone is waited for.
            var watch = PhoneWatch(path: path, client: try ControlClient(path: path))
            if phone.json {
                try inJSON(&watch, signals)
            } else if Terminal.isThere {
                try onScreen(&watch, signals)
            } else {
                try inLines(&watch, signals)
            }
        }
    }

    private static func onScreen(_ watch: inout PhoneWatch, _ signals: TerminationSignals) throws {
        let terminal = try Terminal()
        var shown: WatchView?
        var size = Terminal.Size()
        while !signals.isPending {
            watch.advance(for: pause)
            guard let keys = terminal.keys() else { return }
            // 3 is Ctrl-C.
            if keys.contains(UInt8(ascii: "q")) || keys.contains(3) { return }
            let view = WatchView(
                watch.model, width: Terminal.size.width, height: Terminal.size.height, at: MonotonicClock.now())
            guard view != shown || size != Terminal.size else { continue }
            (shown, size) = (view, Terminal.size)
            terminal.draw(view.rows.map { ($0.look.command(coloured: Terminal.hasColour), $0.text) })
        }
    }

    private static func inJSON(_ watch: inout PhoneWatch, _ signals: TerminationSignals) throws {
        var told: JSONValue?
        while !signals.isPending {
            watch.advance(for: pause)
            guard let state = watch.model.json, state != told else { continue }
            print(state.text)
            try StandardOutput.flush()
            told = state
        }
    }

    private static func inLines(_ watch: inout PhoneWatch, _ signals: TerminationSignals) throws {
        var told: Set<String> = []
        while !signals.isPending {
            watch.advance(for: pause)
            let lines = WatchView.changes(watch.model)
            for line in lines where !told.contains(line) { print(line) }
            if told != Set(lines) { try StandardOutput.flush() }
            told = Set(lines)
        }
    }
}

extension WatchView.Row.Look {
    /// The terminal's escape sequence. Without colours, headings are bold and alerts reverse.
    fileprivate func command(coloured: Bool) -> String {
        switch self {
        case .plain: ""
        case .heading: "\u{1B}[1m"
        case .alert: coloured ? "\u{1B}[1;31m" : "\u{1B}[7m"
        case .faint: coloured ? "\u{1B}[36m" : ""
        }
    }
}

/// Keeps a `WatchModel` up to date over one connection to the phone. Connects again after the phone restarts.
struct PhoneWatch {
    /// The pause between two attempts to connect.
    private static let retry = Duration.seconds(1)
    /// The interval between level queries in a call.
    private static let levelInterval = Duration.milliseconds(250)

    private let path: String
    private var client: ControlClient?
    private var isSubscribed = false
    private var next = MonotonicClock.now()
    private var nextLevels = MonotonicClock.now()
    private(set) var model = WatchModel()

    init(path: String, client: ControlClient) { (self.path, self.client) = (path, client) }

    /// Handles everything that arrives within this time.
    mutating func advance(for timeout: Duration) {
        do throws(ControlClientError) {
            try follow(for: timeout)
        } catch {
            (client, isSubscribed) = (nil, false)
            next = MonotonicClock.now() + Self.retry
            model.lose("\(error)")
        }
    }

    private mutating func follow(for timeout: Duration) throws(ControlClientError) {
        guard let client = client else { return try connect(or: timeout) }
        if !isSubscribed { try client.subscribe() }
        isSubscribed = true
        if model.isOutdated { model.show(try client.snapshot()) }
        if model.hasCalls, MonotonicClock.now() >= nextLevels {
            nextLevels = MonotonicClock.now() + Self.levelInterval
            model.show(levelsOf: try client.call("getStatistics"))
        }
        guard let first = try client.nextEvent(timeout: timeout) else { return }
        model.take(first)
        // Take everything that has already arrived, so that it costs one drawing, not many.
        while let event = try client.nextEvent(timeout: .zero) { model.take(event) }
    }

    private mutating func connect(or timeout: Duration) throws(ControlClientError) {
        guard MonotonicClock.now() >= next else { return Pause.milliseconds(timeout.nanoseconds / 1_000_000) }
        client = try ControlClient(path: path)
    }
}
