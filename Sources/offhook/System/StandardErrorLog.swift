import Base
import Glibc
import Logging
import Platform

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
        guard let now = CalendarTime(RealTimeClock.now(), in: .utc) else { return "-" }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(now.year)-\(two(now.month))-\(two(now.day))"
        return "\(day)T\(two(now.hour)):\(two(now.minute)):\(two(now.second))Z"
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
