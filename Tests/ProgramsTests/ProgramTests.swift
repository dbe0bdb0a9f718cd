import Base
import Foundation
import Programs
import Synchronization
import Testing

/// Real programs of this machine.
@Suite(.serialized) struct ProgramTests {
    private static let limit = Duration.seconds(10)

    /// Programs' output and failures, for a test that waits for it.
    private final class Reports: Sendable {
        private let all = Mutex<[ProgramReport]>([])

        func put(_ report: ProgramReport) { all.withLock { $0.append(report) } }

        var now: [ProgramReport] { all.withLock { $0 } }

        var lines: [String] { now.compactMap { if case .said(_, let line) = $0 { line } else { nil } } }

        /// Waits until the reports are as wanted; false if they are not within ten seconds.
        func become(_ isWanted: ([ProgramReport]) -> Bool) -> Bool {
            let end = ContinuousClock.now + limit
            while ContinuousClock.now < end {
                if isWanted(now) { return true }
                usleep(2_000)
            }
            return isWanted(now)
        }
    }

    /// Runs a script for the event `ring`, sent so often.
    private func run(
        _ script: String, arguments: [String] = [], event: String = "ring", json: String = "{}", times: Int = 1,
        timeLimit: Duration = .seconds(5), _ check: (Reports, Programs) throws -> Void
    ) throws {
        let reports = Reports()
        let rule = ProgramRule(
            events: ["ring"], command: ["/bin/sh", "-c", script, "script"] + arguments, timeLimit: timeLimit)
        let programs = try Programs([rule]) { reports.put($0) }
        try programs.start()
        for _ in 0..<times { programs.tell(event) { json } }
        let outcome = Result { try check(reports, programs) }
        programs.close()
        try outcome.get()
    }

    @Test func programGetsEventAsOneLineAndNeverAsCommand() throws {
        let json = #"{"name":"ring","displayName":"$(reboot)'; rm -rf / #\u001b"}"#
        try run("cat; echo end; echo \"$1\"", arguments: ["*; $HOME"], json: json) { reports, programs in
            #expect(reports.become { $0.count == 3 }, "\(reports.lines)")
            #expect(reports.lines == [json, "end", "*; $HOME"])
            #expect(programs.statistics.started == 1 && programs.statistics.failed.isEmpty)
        }
    }

    @Test func otherEventStartsNothing() throws {
        try run("echo here", event: "end") { _, programs in #expect(programs.statistics.started == 0) }
    }

    /// Descriptors of every kind are open here while the program starts.
    @Test func programInheritsNothing() throws {
        let file = open("/dev/null", O_RDONLY)
        let other = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { _ = (close(file), close(other)) }
        setenv("OFFHOOK_TEST_SECRET", "secret", 1)
        signal(SIGPIPE, SIG_IGN)
        // `ls` itself opens 3 to look.
        try run("ls /proc/self/fd | tr '\\n' ' '; echo; pwd; env | sort | tr '\\n' ' '") { reports, _ in
            #expect(reports.become { $0.count == 3 }, "\(reports.lines)")
            let lines = reports.lines
            #expect(lines[0] == "0 1 2 3 " && lines[1] == "/")
            let names = Set(lines[2].split(separator: " ").compactMap { $0.split(separator: "=").first })
            // The shell adds its own variables.
            #expect(names.subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == ["PATH", "LANG", "OFFHOOK_EVENT"])
            #expect(lines[2].contains("OFFHOOK_EVENT=ring"))
        }
        try run("grep -E 'Sig(Blk|Ign)' /proc/self/status") { reports, _ in
            #expect(reports.become { $0.count == 2 })
            // The C library reserves two signals above 31 for itself, and handles them in its own way.
            let signals = reports.lines.compactMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
            #expect(signals.count == 2 && signals.allSatisfy { $0 & 0x7FFF_FFFF == 0 }, "\(reports.lines)")
        }
    }

    /// It ignores SIGTERM, and so do its children.
    @Test func hangingProgramIsEndedWithItsChildren() throws {
        let script = "trap '' TERM; echo $$; sleep 600 & echo $!; while :; do sleep 600; done"
        try run(script, timeLimit: .milliseconds(300)) { reports, programs in
            #expect(reports.become { $0.contains(.tookTooLong("/bin/sh", .milliseconds(300))) })
            let identifiers = reports.lines.compactMap { pid_t($0) }
            #expect(identifiers.count == 2)
            for identifier in identifiers { #expect(Self.isGone(identifier), "\(identifier)") }
            #expect(programs.statistics.failed == [.tooLong: 1])
        }
    }

    @Test func leftChildrenEndWithProgram() throws {
        try run("sleep 600 & echo $!") { reports, _ in
            #expect(reports.become { $0.count == 1 })
            let identifier = try #require(pid_t(reports.lines[0]))
            #expect(Self.isGone(identifier))
        }
    }

    @Test func failuresAreReported() throws {
        try run("exit 3") { reports, programs in
            #expect(reports.become { $0 == [.failed("/bin/sh", .status(3))] })
            #expect(programs.statistics.failed == [.exit: 1])
        }
        let reports = Reports()
        let rule = ProgramRule(events: ["ring"], command: ["/nowhere/lamp"], timeLimit: .seconds(1))
        let programs = try Programs([rule]) { reports.put($0) }
        try programs.start()
        for _ in 0..<6 { programs.tell("ring") { "{}" } }
        let missing = ProgramReport.cannotStart("/nowhere/lamp", "No such file or directory")
        #expect(reports.become { $0.contains(missing) })
        // A program that cannot start takes no place.
        #expect(reports.become { _ in programs.statistics.failed[.cannotStart] == programs.statistics.started })
        programs.tell("ring") { "{}" }
        #expect(reports.become { _ in programs.statistics.failed[.cannotStart, default: 0] >= 5 })
        programs.close()
    }

    @Test func floodOfEventsStartsFew() throws {
        try run("sleep 600", times: 1_000) { reports, programs in
            #expect(programs.statistics.started == ProgramLimits.mostOfOneRule)
            #expect(programs.statistics.dropped == [.running: 996])
            // The first is reported at once, and the others together later.
            #expect(reports.become { $0 == [.dropped(1)] })
        }
    }

    /// Output beyond the limit does not block it, and an unread event does not either.
    @Test func programThatWritesMuchAndReadsNothingEnds() throws {
        let json = "\"" + String(repeating: "x", count: 300_000) + "\""
        try run("head -c 3000000 /dev/zero | tr '\\0' '\\n'; echo; exit 7", json: json) { reports, _ in
            #expect(reports.become { $0.contains(.failed("/bin/sh", .status(7))) })
        }
        try run("wc -c", json: json) { reports, _ in
            #expect(reports.become { $0.count == 1 })
            #expect(reports.lines == ["300003"])
        }
    }

    @Test func closingEndsAllAtOnce() throws {
        let reports = Reports()
        let rule = ProgramRule(
            events: ["ring"], command: ["/bin/sh", "-c", "trap '' TERM; echo $$; while :; do sleep 600; done"],
            timeLimit: .seconds(60))
        let programs = try Programs([rule]) { reports.put($0) }
        try programs.start()
        programs.tell("ring") { "{}" }
        #expect(reports.become { $0.count == 1 })
        let began = ContinuousClock.now
        programs.close()
        #expect(ContinuousClock.now - began < .seconds(2))
        let identifier = try #require(pid_t(reports.lines[0]))
        #expect(Self.isGone(identifier))
        programs.tell("ring") { "{}" }
        #expect(programs.statistics.started == 1)
    }

    /// Whether the process has ended, or is a zombie, within ten seconds.
    private static func isGone(_ identifier: pid_t) -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let status = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? ") Z"
            if status.contains(") Z") { return true }
            usleep(2_000)
        }
        return false
    }
}
