import Glibc
import Logging

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
