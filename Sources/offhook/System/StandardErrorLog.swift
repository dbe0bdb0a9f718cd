import Base
import Glibc
import Logging
import Platform
import Synchronization

/// The log as lines on standard error. A line begins with time and level. The journal has its own times, so there it
/// begins with the level in the journal's form (sd-daemon(3)).
package struct StandardErrorLog: LogHandler {
    package var metadata: Logger.Metadata = [:]
    /// All copies of a log share the level, so that it can change while the phone runs.
    package var logLevel: Logger.Level {
        get { level.value.withLock { $0 } }
        nonmutating set { level.value.withLock { $0 = newValue } }
    }

    private final class Level: Sendable { let value = Mutex(Logger.Level.info) }

    private let output: TextOutput
    private let isJournal: Bool
    private let level = Level()
    /// The last lines, for a person without a journal. Real-time threads log nothing, so its lock holds up no sound.
    let memory = LogMemory()

    init(output: TextOutput, isJournal: Bool) { (self.output, self.isJournal) = (output, isJournal) }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let start = isJournal ? "<\(Self.priority(event.level))>" : "\(Self.time) \(event.level): "
        let text = Self.text(event.message.description)
        output.write(start + text)
        memory.append(text, event.level)
    }

    /// Messages quote text from files and from the network. Such text must not add lines or control a terminal.
    package static func text(_ message: String) -> String { message.withoutCommands }

    private static var time: String {
        guard let now = CalendarTime(RealTimeClock.now(), in: .utc) else { return "-" }
        return "\(now.date)T\(now.timeOfDay)Z"
    }

    /// The level's number in syslog(3).
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

extension LogLevel {
    var loggerLevel: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

/// The program's log, on standard error.
enum ProgramLog {
    static func make(level: LogLevel) -> Logger {
        let output = TextOutput(descriptor: STDERR_FILENO)
        let isJournal = isJournal(STDERR_FILENO)
        var log = Logger(label: "offhook") { _ in StandardErrorLog(output: output, isJournal: isJournal) }
        log.logLevel = level.loggerLevel
        return log
    }

    /// Whether the descriptor is the journal's stream that systemd names (JOURNAL_STREAM, systemd.exec(5)).
    private static func isJournal(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return Environment["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)"
    }
}
