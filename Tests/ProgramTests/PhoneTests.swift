import Base
import Bench
import Foundation
import Glibc
import Rig
import HostStalls
import Testing

/// The running program: started, asked, disturbed, stopped.
@Suite(.serialized, .stallsForgiven) struct PhoneTests {
    @Test(.limit(minutesEachTime: 2)) func everyCommandWorksInCall() throws {
        let pair = try PhonePair()
        func ctl(_ words: String..., phone: RigPhone) throws -> Command {
            let command = try Command(
                ["ctl"] + words + ["--socket", phone.folder.socket], in: pair.workplace)
            #expect(command.exit == .status(0), "\(words): \(command)")
            return command
        }
        _ = try ctl("dial", "102", "--header", "X-Ticket=7", phone: pair.alice)
        #expect(try pair.bob.wait(for: "incomingCall").fields["summary"]?["headers"] == ["X-Ticket": "7"])
        _ = try ctl("answer", phone: pair.bob)
        try pair.alice.wait(for: "callAnswered")
        _ = try ctl("mute", "on", phone: pair.alice)
        try pair.alice.wait(for: "muteStateChanged")
        _ = try ctl("mute", "off", phone: pair.alice)
        _ = try ctl("dtmf", "7", phone: pair.alice)
        #expect(try pair.bob.wait(for: "dtmfReceived").fields["digit"] == "7")
        _ = try ctl("hold", phone: pair.alice)
        try pair.bob.wait(for: "callHeld")
        _ = try ctl("resume", phone: pair.alice)
        try pair.bob.wait(for: "callResumed")
        let status = try ctl("status", phone: pair.alice).output
        #expect(status.contains("102") && status.contains("active"), "\(status)")
        _ = try ctl("hangup", phone: pair.bob)
        try pair.alice.wait(for: "callEnded")
        let boot = try Command(["boot", "--socket", pair.alice.folder.socket], in: pair.workplace)
        #expect(boot.output.contains("ready after"), "\(boot)")
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    /// docs/control.md lists the exit codes.
    @Test(.limit(minutesEachTime: 2)) func failureExitsWithOneAndUsageErrorWithSixtyFour() throws {
        let pair = try PhonePair()
        func ctl(_ words: String..., socket: String? = nil) throws -> Command {
            try Command(["ctl"] + words + ["--socket", socket ?? pair.alice.folder.socket], in: pair.workplace)
        }
        for command in try [ctl("park", "700"), ctl("hold"), ctl("answer"), ctl("transfer", "102")] {
            #expect(command.exit == .status(1) && command.output.contains("Error: "), "\(command)")
        }
        let unknown = try ctl("pickup", "200", "--account", "nobody")
        #expect(unknown.exit == .status(1) && unknown.output.contains("account"), "\(unknown)")
        #expect(try ctl("park", "700", socket: "/nowhere/sock").exit == .status(1))
        for command in try [ctl("park"), ctl("pickup"), ctl("no-such-command")] {
            #expect(command.exit == .status(64) && command.output.contains("Usage: "), "\(command)")
        }
    }

    @Test(.limit(minutesEachTime: 2)) func sigtermInCallSendsBYEAndExitsInTime() throws {
        let pair = try PhonePair()
        try pair.establish()
        let end = pair.alice.process.stop()
        #expect(end.exit == .status(0))
        #expect(end.took < .seconds(2), "\(end.took)")
        #expect(try pair.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func garbageOnEveryPortDoesNotDisturbCall() throws {
        let pair = try PhonePair()
        try pair.establish()
        let peer = try DatagramPeer()
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<20_000 {
            let port = [pair.ports.alice, pair.ports.bob, 26_100, 26_101, 26_300, 26_301].randomElement(
                using: &generator)
            let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            try peer.say(bytes, to: port ?? pair.ports.bob)
        }
        Conversation(
            first: (pair.alice.mouth, pair.alice.ear, pair.workplace.alice),
            second: (pair.bob.mouth, pair.bob.ear, pair.workplace.bob)
        ).expectUnderstood()
        try pair.alice.ask("hangup")
        #expect(try pair.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    /// Sound that waits for a page from a disk drops out. Without the right to lock memory, the log reports it.
    @Test(
        .limit(minutesEachTime: 1), arguments: [[]] + (geteuid() == 0 ? [["setpriv", "--bounding-set=-ipc_lock"]] : []))
    func memoryIsLockedOrReasonIsLogged(_ prefix: [String]) throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_560, firstMediaPort: 26_900))
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone, prefix: prefix)
        let status = try String(contentsOfFile: "/proc/\(phone.process.identifier)/status", encoding: .utf8)
        let isLocked = !status.contains("VmLck:\t       0 kB")
        let log = try String(contentsOfFile: folder.log, encoding: .utf8)
        #expect(
            isLocked != log.contains("memory is not locked, so audio may drop out under memory pressure: "), "\(log)")
        #expect(phone.process.stop().exit == .status(0))
    }

    /// A message that is not logged is not evaluated either, so it must have no side effects.
    @Test(.limit(minutesEachTime: 1), arguments: ["debug", "info", "warning", "error"])
    func phoneRunsAtEveryLogLevel(_ level: String) throws {
        let workplace = try Workplace()
        var settings = PhoneFolder.Settings(port: 26_560, firstMediaPort: 26_900)
        settings.logLevel = level
        let folder = try workplace.phoneFolder("phone", settings)
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        #expect(try phone.ask("ping")["version"] != nil)
        #expect(phone.process.wait(upTo: .milliseconds(200)) == nil, "it ended by itself")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func portInUseIsNamed() throws {
        let workplace = try Workplace()
        let settings = PhoneFolder.Settings(port: 26_360, firstMediaPort: 26_700)
        let first = try workplace.phoneFolder("first", settings)
        let phone = try RigPhone(name: "first", folder: first, program: Workplace.phone)
        let second = try workplace.phoneFolder("second", settings)
        let run = try Command(["run", "--config", second.configuration], in: workplace)
        #expect(run.failed && run.output.contains("26360") && run.output.contains("in use"), "\(run)")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func unreadLogBlocksNothing() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_960, firstMediaPort: 27_000))
        unlink(folder.log)
        try #require(mkfifo(folder.log, 0o600) == 0)
        let pipe = open(folder.log, O_RDWR | O_NONBLOCK)
        try #require(pipe >= 0)
        defer { close(pipe) }
        while write(pipe, "x", 1) == 1 {}
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        #expect(try phone.ask("getSnapshot")["calls"]?.array?.isEmpty == true)
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func openedFilesAvoidStandardDescriptors() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_960, firstMediaPort: 27_000))
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone,
            prefix: ["sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"])
        for descriptor in 0...2 {
            let link = "/proc/\(phone.process.identifier)/fd/\(descriptor)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
        }
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func callSurvivesWithoutSoundDevice() throws {
        let pair = try PhonePair { $0.device = "absent" }
        try pair.alice.ask("dial", ["target": "102"])
        try pair.bob.wait(for: "incomingCall")
        try pair.bob.ask("answer")
        try pair.alice.wait(for: "callAnswered")
        let trouble = try pair.alice.wait(for: "error")
        #expect(trouble.fields["message"]?.string?.contains("absent") == true, "\(trouble)")
        try pair.alice.ask("hangup")
        try pair.bob.wait(for: "callEnded")
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func phoneWithoutGPIOChipAnswersItsInterface() throws {
        let workplace = try Workplace()
        let card = try workplace.soundCard("phone")
        let folder = try PhoneFolder(
            path: "\(workplace.path)/phone", board: Workplace.root + "/board/raspberry-pi.yaml", card: card,
            settings: .init(port: 26_460, firstMediaPort: 26_800))
        try folder.makeVault(program: Workplace.phone)
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        #expect(try phone.ask("getSnapshot")["calls"]?.array?.isEmpty == true)
        #expect(phone.process.stop().exit == .status(0))
        let log = try String(contentsOfFile: folder.log, encoding: .utf8)
        #expect(log.contains("chip \"pinctrl-rp1, pinctrl-bcm2711, pinctrl-bcm2835\" not found"), "\(log)")
    }

    @Test(.limit(minutesEachTime: 2)) func callInterruptedByCrashIsRecorded() throws {
        let pair = try PhonePair()
        try pair.establish()
        try Self.waitUntilKept(by: pair.alice, in: pair.workplace)
        pair.alice.process.signal(SIGKILL)
        #expect(pair.alice.process.wait(upTo: .seconds(2)) == .signal(SIGKILL))
        let check = try Command(["vault", "check", "--config", pair.alice.folder.configuration], in: pair.workplace)
        #expect(check.exit == .status(0) && check.output.contains("in a call yes"), "\(check)")
        let again = try RigPhone(name: "alice", folder: pair.alice.folder, program: Workplace.phone)
        try again.waitUntilReady()
        #expect(again.process.stop().exit == .status(0))
        let after = try Command(["vault", "check", "--config", pair.alice.folder.configuration], in: pair.workplace)
        #expect(after.output.contains("in a call no") && after.output.contains("1 calls"), "\(after)")
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func ringingCallInterruptedByCrashIsMissed() throws {
        let pair = try PhonePair()
        func ctl(_ words: String...) throws -> Command {
            try Command(["ctl"] + words + ["--socket", pair.bob.folder.socket], in: pair.workplace)
        }
        try pair.alice.ask("dial", ["target": "102"])
        try pair.bob.wait(for: "incomingCall")
        let end = MonotonicTime.now + .seconds(5)
        while try ctl("metrics").output.contains("offhook_vault_write_seconds_count 0"), MonotonicTime.now < end {}
        pair.bob.process.signal(SIGKILL)
        #expect(pair.bob.process.wait(upTo: .seconds(2)) == .signal(SIGKILL))
        for name in ["info-1", "past-1"] {
            let again = try RigPhone(name: "bob", folder: pair.bob.folder, program: Workplace.phone)
            try again.waitUntilReady()
            let missed = try ctl("missed", "list").output
            #expect(missed.contains(name) && missed.contains("interrupted") && missed.contains("101"), "\(missed)")
            if name == "past-1" {
                #expect(try ctl("missed", "clear", "--call", name).exit == .status(0))
                #expect(try ctl("missed", "list").output.contains("none"))
            }
            #expect(again.process.stop().exit == .status(0))
        }
        #expect(pair.alice.process.stop().exit == .status(0))
    }

    /// Waits until the vault's thread has stored the active call.
    private static func waitUntilKept(by phone: RigPhone, in workplace: Workplace) throws {
        let end = MonotonicTime.now + .seconds(5)
        var check = try Command(["vault", "check", "--config", phone.folder.configuration], in: workplace)
        while !check.output.contains("in a call yes"), MonotonicTime.now < end {
            check = try Command(["vault", "check", "--config", phone.folder.configuration], in: workplace)
        }
    }
}
