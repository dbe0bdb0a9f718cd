import Base
import Bench
import Foundation
import Glibc
import HostStalls
import Rig
import Testing
import offhook

/// The phone while one of its threads hangs: in a library, in the kernel, on a disk.
@Suite(.serialized, .stallsForgiven) struct HangTests {
    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_300, firstMediaPort: 26_640))
    }

    private var log: String { (try? String(contentsOfFile: folder.log, encoding: .utf8)) ?? "" }

    /// - Returns: the phone, and the socket for its watchdog pings: ten a second.
    private func watched() throws -> (RigPhone, NotifySocket) {
        let socket = workplace.path + "/notify"
        let listener = try NotifySocket(path: socket)
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone,
            prefix: ["env", "NOTIFY_SOCKET=\(socket)", "WATCHDOG_USEC=300000"])
        return (phone, listener)
    }

    private func lives(_ listener: NotifySocket) -> Bool {
        (0..<50).contains { _ in listener.next(within: .seconds(2)) == "WATCHDOG=1" }
    }

    /// Whether the watchdog pings stop.
    private func fallsSilent(_ listener: NotifySocket) -> Bool {
        (0..<50).contains { _ in listener.next(within: .milliseconds(600)) == nil }
    }

    @Test(.enabled(if: ThreadStop.isPermitted, "threads cannot be stopped here"), .limit(minutesEachTime: 2))
    func watchdogDetectsEachVitalThread() throws {
        let (phone, listener) = try watched()
        #expect(lives(listener))
        for name in [
            "panel", "media-audio", "media-network", "media-events", "media-devices", "media-connect", "network",
            "NIO-ELT", nil,
        ] {
            var stop = ThreadStop(name, of: phone.process.identifier)
            try #require(stop != nil, "\(name ?? "main")")
            #expect(fallsSilent(listener), "\(name ?? "main")")
            _ = stop
            stop = nil
            #expect(lives(listener), "\(name ?? "main")")
            if name != "NIO-ELT" { #expect(log.contains("the thread \(name ?? "main") does not answer")) }
        }
        // A disk may be slow.
        var stop = ThreadStop("vault", of: phone.process.identifier)
        try #require(stop != nil)
        for _ in 0..<10 { #expect(listener.next(within: .seconds(2)) == "WATCHDOG=1") }
        _ = stop
        stop = nil
        #expect(phone.process.stop().exit == .status(0))
    }

    /// The library of a sound server that died never returns to the audio thread.
    @Test(.limit(minutesEachTime: 1)) func hangingSoundIsReportedAndDoesNotPreventStop() throws {
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        try phone.ask("liftHook")
        try phone.wait(for: "toneChanged", upTo: .seconds(20)) { $0.fields["tone"] == "dial" }
        try TextFile.write("", to: folder.card.fault + ".hang")
        let end = MonotonicTime.now + .seconds(10)
        while !log.contains("media-audio hangs"), MonotonicTime.now < end { MonotonicTime.sleep(.milliseconds(50)) }
        #expect(log.contains("handset microphone") && log.contains("handset earpiece"), "\(log)")
        let status = try Command(["ctl", "status", "--socket", folder.socket], in: workplace).output
        #expect(status.contains("no sound device"), "\(status)")
        let stopped = phone.process.stop(within: .seconds(5))
        #expect(stopped.exit == .status(0) && stopped.took < .seconds(5), "\(stopped)")
        #expect(log.contains("the thread media-audio hangs; the program ends without it"), "\(log)")
    }

    /// A sound server that died holds the audio thread for ever. The phone becomes another process, which has sound.
    @Test(.limit(minutesEachTime: 1)) func hangingSoundReturnsForNextCall() throws {
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        try phone.ask("liftHook")
        try phone.wait(for: "toneChanged", upTo: .seconds(20)) { $0.fields["tone"] == "dial" }
        try TextFile.write("", to: folder.card.fault + ".hang")
        let end = MonotonicTime.now + .seconds(30)
        while !log.contains("restarting"), MonotonicTime.now < end { MonotonicTime.sleep(.milliseconds(50)) }
        try FileManager.default.removeItem(atPath: folder.card.fault + ".hang")
        try phone.waitForRestart()
        try phone.ask("liftHook")
        try phone.wait(for: "toneChanged", upTo: .seconds(20)) { $0.fields["tone"] == "dial" }
        // The audio thread is asked each second whether it hangs, and hangs after three questions.
        MonotonicTime.sleep(.seconds(5))
        let status = try Command(["ctl", "status", "--socket", folder.socket], in: workplace).output
        #expect(!status.contains("no sound device"), "\(status)")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(
        .enabled(if: ThreadStop.isPermitted, "threads cannot be stopped here"), .limit(minutesEachTime: 1),
        arguments: ["panel", "NIO-ELT", "media-devices"])
    func hangingThreadDoesNotPreventStop(name: String) throws {
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        // Until then the main thread waits for the control loop.
        let end = MonotonicTime.now + .seconds(5)
        while !log.contains("ready after"), MonotonicTime.now < end { MonotonicTime.sleep(.milliseconds(10)) }
        // A thread has its name only after it has run.
        var stop = ThreadStop(name, of: phone.process.identifier)
        while stop == nil, MonotonicTime.now < end {
            MonotonicTime.sleep(.milliseconds(10))
            stop = ThreadStop(name, of: phone.process.identifier)
        }
        try #require(stop != nil, "there is no thread \(name)")
        let began = MonotonicTime.now
        phone.process.signal(SIGTERM)
        // A thread that another program stopped keeps its process from ending; the phone reports before that.
        while !log.contains(name.hasPrefix("NIO") ? "the control loop does not answer" : "\(name) hangs; the program"),
            MonotonicTime.now - began < .seconds(8)
        { MonotonicTime.sleep(.milliseconds(20)) }
        #expect(MonotonicTime.now - began < .seconds(5), "\(log)")
        withExtendedLifetime(stop) {}
    }

    // MARK: Signals

    @Test(.limit(minutesEachTime: 1)) func otherSignalsChangeNothing() throws {
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        for (number, name) in [(SIGUSR2, "SIGUSR2"), (SIGALRM, "SIGALRM")] {
            phone.process.signal(number)
            let end = MonotonicTime.now + .seconds(5)
            while !log.contains("\(name) ignored"), MonotonicTime.now < end {
                MonotonicTime.sleep(.milliseconds(20))
            }
            #expect(log.contains("\(name) ignored"), "\(log)")
            #expect(try phone.ask("ping")["version"] != nil)
        }
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2), arguments: [SIGQUIT, SIGINT]) func terminationSignalEndsCallsFirst(
        number: Int32
    ) throws {
        let pair = try PhonePair()
        try pair.establish()
        pair.alice.process.signal(number)
        #expect(try pair.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(pair.alice.process.wait(upTo: .seconds(3)) == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }
}

/// The judgement of the threads' answers, in simulated time.
@Suite struct ThreadJudgeTests {
    private let start = Instant.zero + .seconds(100)

    private func answer(_ thread: String, isVital: Bool = true, since: Duration?) -> ThreadAnswer {
        ThreadAnswer(thread: thread, isVital: isVital, unansweredSince: since.map { start + $0 })
    }

    @Test func hangingVitalThreadIsReportedOnceAndWithholdsPing() {
        var judge = ThreadJudge()
        #expect(judge.take([answer("panel", since: nil)], at: start) == [] && judge.isAlive)
        #expect(
            judge.take([answer("panel", since: .zero)], at: start + .seconds(10)) == [.hangs("panel", isVital: true)])
        #expect(!judge.isAlive)
        #expect(judge.take([answer("panel", since: .zero)], at: start + .seconds(20)) == [] && !judge.isAlive)
        #expect(judge.take([answer("panel", since: nil)], at: start + .seconds(30)) == [.answers("panel")])
        #expect(judge.isAlive)
    }

    @Test func stuckVitalThreadRestartsPhoneOnceAndOnlyWithoutCall() {
        var judge = ThreadJudge()
        func look(_ second: Int, isAtRest: Bool) -> Bool {
            let now = start + .seconds(second)
            _ = judge.take([answer("media-audio", since: .zero)], at: now)
            return judge.isToStartAgain(at: now, isAtRest: isAtRest)
        }
        #expect(!look(9, isAtRest: true))
        #expect(!look(11, isAtRest: false))
        #expect(look(12, isAtRest: true))
        #expect(!look(13, isAtRest: true))
    }

    @Test func slowDiskIsReportedAfterOneMinuteAndKeepsPhone() {
        var judge = ThreadJudge()
        for second in stride(from: 10, to: 60, by: 10) {
            #expect(judge.take([answer("vault", isVital: false, since: .zero)], at: start + .seconds(second)) == [])
        }
        let late = judge.take([answer("vault", isVital: false, since: .zero)], at: start + .seconds(60))
        #expect(late == [.hangs("vault", isVital: false)] && judge.isAlive)
        #expect(
            judge.take([answer("vault", isVital: false, since: nil)], at: start + .seconds(70)) == [.answers("vault")])
    }
}
