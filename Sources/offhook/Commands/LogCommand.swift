import Base
import Commands
import Control
import Glibc
import JSON
import Platform

/// Shows the phone's own log, without the terms of a journal.
enum LogCommand {
    /// Lines that are shown if the command line says nothing else.
    private static let usualLines = 100
    /// The pause between two questions of `--follow`.
    private static let pause = Duration.milliseconds(500)

    static var command: Command {
        Command(
            "log", "Show the phone's log: registrations, calls, faults.",
            discussion: """
                As root, on a machine with systemd, it shows the journal of the phone's service, which has the lines \
                of former runs, too. Otherwise it asks the running phone, which remembers its last \
                \(LogMemory.capacity) lines.
                """, example: "offhook log --since 2h\noffhook log --follow", RunningPhone.input, since,
            Parameter.option("lines", "Last lines to show. Default: 100, or all since that time.", .number(1...10_000)),
            Parameter.flag("follow", "Also show new lines, until interrupted.").short("f")
        ) { phone, since, lines, follows in
            let limit: Int? = lines ?? (since == nil ? usualLines : nil)
            if let unit = JournalQuery.unit(of: phone) {
                try JournalQuery(unit: unit, since: since, lines: limit, follows: follows).show()
            }
            try show(try phone.connect(), since: since, limit, follows)
        }
    }

    private static var since: Input<Int64?> {
        Parameter.option(
            "since", "Only lines since this time: 30m, 2h, 1d ago; or 18:30, 2026-11-28, \"2026-11-28 18:30\"."
        ).map { text throws(UsageError) in
            guard let text else { return nil }
            guard let time = PastTime.seconds(text, now: RealTimeClock.now() / 1_000_000_000) else {
                throw UsageError("--since: expected a time such as 2h, 18:30 or 2026-11-28, found \"\(text)\"")
            }
            return time
        }
    }

    private static func show(_ client: ControlClient, since: Int64?, _ limit: Int?, _ follows: Bool) throws {
        let page = try client.call("getLog")
        let lines = (page["lines"]?.array ?? []).filter { ($0["time"]?.integer ?? 0) / 1_000 >= since ?? 0 }
        for line in lines.suffix(limit ?? lines.count) { print(text(line)) }
        guard follows else { return }
        var last = page["last"]?.integer ?? 0
        while true {
            try StandardOutput.flush()
            MonotonicClock.sleep(pause)
            let news = try client.call("getLog", ["after": .integer(last)])
            if let lost = news["lost"]?.integer, lost > 0 { print("… \(lost) lines are lost") }
            for line in news["lines"]?.array ?? [] { print(text(line)) }
            last = news["last"]?.integer ?? last
        }
    }

    /// `2026-11-28 18:32:05  warning: office: registration failed`. Only lines that somebody should read have a level.
    static func text(_ line: JSONValue) -> String {
        let level = line["level"]?.string ?? "info"
        let mark = level == "info" ? "" : level + ": "
        let time = CalendarTime.text(unixMilliseconds: line["time"]?.integer ?? 0)
        return "\(time)  \(mark)\(line["text"]?.string ?? "")".withoutCommands
    }
}

/// The command line that shows the journal of a phone's service.
package struct JournalQuery {
    let unit: String
    /// In seconds since 1970.
    let since: Int64?
    let lines: Int?
    let follows: Bool

    package init(unit: String, since: Int64?, lines: Int?, follows: Bool) {
        (self.unit, self.since, self.lines, self.follows) = (unit, since, lines, follows)
    }

    /// The service of a phone below /etc/offhook; nil: this user or this machine has no journal, or the phone has
    /// no service.
    static func unit(of phone: RunningPhone) -> String? {
        guard geteuid() == 0, !phone.hasSocket, unsafe access("/run/systemd/system", F_OK) == 0 else { return nil }
        return unit(ofConfiguration: phone.config)
    }

    /// `/etc/offhook/desk.yaml` → `desk.service`.
    package static func unit(ofConfiguration path: String) -> String? {
        let ending = ".yaml"
        guard path.folder == "/etc/offhook/", path.hasSuffix(ending) else { return nil }
        let name = path.dropFirst(path.folder.count).dropLast(ending.count)
        return name.isEmpty || name.hasPrefix("-") ? nil : name + ".service"
    }

    package var words: [String] {
        ["journalctl", "--unit=\(unit)", "--output=short-iso", "--no-hostname", "--no-pager"]
            + (since.map { ["--since=@\($0)"] } ?? []) + (lines.map { ["--lines=\($0)"] } ?? [])
            + (follows ? ["--follow"] : [])
    }

    /// Executes journalctl instead of this program. Returns only if this machine has none.
    func show() throws {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        _ = unsafe execvp(words[0], &argv)
        guard errno == ENOENT else { throw CommandError("journalctl: \(SystemError.last)") }
    }
}

/// A time in the past, as people write it.
package enum PastTime {
    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    /// Ten years, in seconds.
    private static let longest: Int64 = 315_360_000

    /// The time in seconds since 1970; nil if the text is none.
    /// - Parameter now: In seconds since 1970.
    package static func seconds(_ text: String, now: Int64) -> Int64? {
        if let unit = text.last.flatMap({ units[$0] }) {
            guard let count = Int64(text.dropLast()), (0...longest / unit).contains(count) else { return nil }
            return now - count * unit
        }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        switch parts.count {
        case 1 where text.contains(":"):
            guard let today = CalendarTime(now * 1_000_000_000, in: .local), let time = clock(parts[0]) else {
                return nil
            }
            let date = (today.year, today.month, today.day)
            // Before midnight, if that time of day is still to come.
            guard let seconds = local(date, time) else { return nil }
            return seconds <= now ? seconds : local((date.0, date.1, date.2 - 1), time)
        case 1: return date(parts[0]).flatMap { local($0, (0, 0, 0)) }
        case 2:
            guard let date = date(parts[0]), let time = clock(parts[1]) else { return nil }
            return local(date, time)
        default: return nil
        }
    }

    private static func date(_ text: Substring) -> (Int, Int, Int)? {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { $0.isDecimal ? Int($0) : nil }
        guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return (year, month, day)
    }

    private static func clock(_ text: Substring) -> (Int, Int, Int)? {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { $0.isDecimal ? Int($0) : nil }
        guard (2...3).contains(numbers.count), let hour = numbers[0], let minute = numbers[1],
            let second = numbers.count == 3 ? numbers[2] : 0, (0...23).contains(hour), (0...59).contains(minute),
            (0...59).contains(second)
        else { return nil }
        return (hour, minute, second)
    }

    /// Day 0 is the last day of the month before.
    private static func local(_ date: (Int, Int, Int), _ time: (Int, Int, Int)) -> Int64? {
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            Int32(date.0 - 1_900), Int32(date.1 - 1), Int32(date.2)
        )
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(time.0), Int32(time.1), Int32(time.2))
        unsafe parts.tm_isdst = -1
        let seconds = unsafe mktime(&parts)
        return seconds == -1 ? nil : Int64(seconds)
    }
}
