import Base
import Bench
import Foundation
import JSON
import Rig
import Testing
import offhook

/// The phone's memory of its log, and times as people write them.
@Suite struct LogMemoryTests {
    @Test func forgetsOldestLinesAndCountsThem() {
        let memory = LogMemory()
        #expect(memory.json(after: 0) == ["lines": [], "last": 0, "lost": 0])
        for number in 1...LogMemory.capacity + 3 { memory.append("line \(number)", .info) }
        let all = memory.json(after: 0)
        #expect(all["lines"]?.array?.count == LogMemory.capacity && all["lost"] == 3)
        #expect(all["lines"]?.array?.first?["text"] == "line 4")
        #expect(all["lines"]?.array?.last?["text"]?.string == "line \(LogMemory.capacity + 3)")
        let last = all["last"]?.integer ?? 0
        #expect(memory.json(after: last)["lines"] == [] && memory.json(after: .max)["lost"] == 0)
        memory.append("news", .warning)
        let news = memory.json(after: last)["lines"]?.array ?? []
        #expect(news.map { $0["text"] } == ["news"] && news.first?["level"] == "warning")
    }

    @Test func longLineIsCut() {
        let memory = LogMemory()
        memory.append(String(repeating: "x", count: 10_000), .info)
        let text = memory.json(after: 0)["lines"]?.array?.first?["text"]?.string
        #expect(text?.utf8.count == LogMemory.longest)
    }

    @Test func timesArePastAndLocal() {
        let now: Int64 = 1_795_000_000
        for (text, ago) in [("30s", 30), ("15m", 900), ("2h", 7_200), ("1d", 86_400), ("0s", 0)] {
            #expect(PastTime.seconds(text, now: now) == now - Int64(ago), "\(text)")
        }
        let day = PastTime.seconds("2026-11-20", now: now) ?? 0
        #expect(PastTime.seconds("2026-11-20 01:02:03", now: now) == day + 3_723)
        let minute = PastTime.seconds("23:59", now: now) ?? .max
        #expect(minute <= now && now - minute < 90_000, "a time of day is the last such one")
        for wrong in ["", "h", "-1h", "1.5h", "9999999d", "25:00", "18:60", "2026-13-01", "2026-11", "x y", "1:2:3:4"] {
            #expect(PastTime.seconds(wrong, now: now) == nil, "\(wrong)")
        }
    }

    @Test func journalIsAskedForTheServiceOfTheConfiguration() {
        #expect(JournalQuery.unit(ofConfiguration: "/etc/offhook/offhook@desk1.yaml") == "offhook@desk1.service")
        for path in ["/home/me/offhook.yaml", "/etc/offhook/a/b.yaml", "/etc/offhook/.yaml", "/etc/offhook/-x.yaml"] {
            #expect(JournalQuery.unit(ofConfiguration: path) == nil, "\(path)")
        }
        let query = JournalQuery(unit: "offhook.service", since: 1_795_000_000, lines: 5, follows: true)
        #expect(query.words.first == "journalctl" && query.words.contains("--unit=offhook.service"))
        #expect(query.words.suffix(3) == ["--since=@1795000000", "--lines=5", "--follow"])
    }
}

/// `offhook log` beside a phone without a journal.
@Suite struct LogCommandTests {
    @Test func runningPhoneShowsItsLog() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_240, firstMediaPort: 26_640))
        let none = try Command(["log", "--config", folder.configuration], in: workplace)
        #expect(none.failed && none.output.contains("no phone answers"), "\(none)")
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        defer { _ = phone.process.stop() }
        let log = try Command(["log", "--config", folder.configuration], in: workplace)
        #expect(log.exit == .status(0) && log.output.contains("ready after"), "\(log)")
        let later = try Command(["log", "--config", folder.configuration, "--since", "2030-01-01"], in: workplace)
        #expect(later.exit == .status(0) && later.output.isEmpty, "\(later)")
        let wrong = try Command(["log", "--config", folder.configuration, "--since", "noon"], in: workplace)
        #expect(wrong.exit == .status(64) && wrong.output.contains("--since"), "\(wrong)")
    }
}
