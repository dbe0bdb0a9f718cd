import Logging

/// The program's log: standard error, which systemd keeps with times of its own.
enum ProgramLog {
    static func make(level: LogLevel) -> Logger {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var log = Logger(label: "offhook")
        log.logLevel =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        return log
    }
}
