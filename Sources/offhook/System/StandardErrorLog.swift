import Base
import Glibc
import Logging

/// The log as lines on standard error: a time and a level before each, or for the journal, which keeps times of its own,
/// the level as it wants it (sd-daemon(3)).
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    private let output: LineOutput
    private let isJournal: Bool

    init(output: LineOutput, isJournal: Bool) { (self.output, self.isJournal) = (output, isJournal) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let start = isJournal ? "<\(Self.priority(event.level))>" : "\(Self.time) \(event.level): "
        // Messages quote what came from files and from the network: neither may add lines nor command a terminal.
        output.write(start + event.message.description.withoutCommands)
    }

    private static var time: String {
        var now = Glibc.time(nil)
        var parts = unsafe tm()
        unsafe gmtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = unsafe "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return unsafe "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    /// syslog(3)'s numbers.
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
