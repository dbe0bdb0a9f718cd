import Base
import Bench
import Control
import Foundation
import HostStalls
import JSON
import Rig
import Testing
import offhook

/// The doctor's advice for its findings.
@Suite struct DoctorAdviceTests {
    private static let second: Int64 = 1_000_000_000

    /// A board without a battery starts in 1970 or 2020, and so does the file of a program that was installed then.
    @Test(arguments: [0, 1_577_836_800, ProgramVersion.written - 1]) func clockInPastIsWrong(seconds: Int64) {
        let finding = MachineCheck.clock(at: seconds * Self.second, installed: min(seconds, 1_577_836_000))
        #expect(finding.state == .fail && finding.text.contains("before this program was written"), "\(finding)")
    }

    @Test func clockBehindProgramFileIsWrong() {
        let now = ProgramVersion.written + 10
        #expect(MachineCheck.clock(at: now * Self.second, installed: now + 1).state == .fail)
        #expect(MachineCheck.clock(at: now * Self.second, installed: now).state == .ok)
        #expect(MachineCheck.clock(at: now * Self.second, installed: nil).state == .ok)
    }

    @Test(
        arguments: [
            RegistrationVerdict.silent(takesConnections: false), .connectionRefused, .nameServiceSilent("pbx"),
            .unreachable("no route"), .refused(status: 503, phrase: "Busy"),
        ])
    func unreachableServerDoesNotSuggestRemovingAccount(_ verdict: RegistrationVerdict) {
        #expect(!AccountCheck.advice(verdict).contains("remove"))
    }

    @Test func missingLibraryForABackendIsAFaultWithItsPackage() {
        let finding = BackendCheck.libraryFinding("libcurl.so.4: cannot open shared object file")
        #expect(finding.state == .fail && finding.advice == "apt install libcurl4")
        #expect(BackendCheck.libraryFinding(nil).state == .ok)
    }

    @Test func refusedAccountSuggestsChange() {
        #expect(AccountCheck.advice(.refused(status: 403, phrase: "Forbidden")).contains("account remove"))
    }
}

/// `offhook doctor` on healthy and faulty phones.
@Suite(.serialized, .stallsForgiven) struct DoctorTests {
    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        var settings = PhoneFolder.Settings(port: 26_660, firstMediaPort: 26_700)
        settings.device = "\"null\""
        folder = try workplace.phoneFolder("phone", settings)
    }

    private func doctor(_ words: String...) throws -> Command {
        try Command(["doctor", "--config", folder.configuration] + words, in: workplace)
    }

    private func change(_ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: folder.configuration, encoding: .utf8)
        try TextFile.write(text.replacing(old, with: new), to: folder.configuration)
    }

    private func lines(_ run: Command, _ check: String) -> [Substring] {
        run.output.split(separator: "\n").filter { $0.dropFirst(6).hasPrefix(check) }
    }

    @Test(.limit(minutesEachTime: 1)) func healthyPhoneHasNoFault() throws {
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "1", server: "h", more: ["--no-register", "--no-password"])
        let run = try doctor()
        #expect(run.exit == .status(0), "\(run)")
        for check in ["clock", "configuration", "board", "handset", "vault", "disk", "account desk"] {
            #expect(lines(run, check).first?.hasPrefix("ok ") == true, "\(check): \(run)")
        }
        // A key beside the vault is no fault, but the text does not call it safe.
        #expect(lines(run, "key").first?.hasPrefix("warn ") == true, "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func eachFaultIsNamedWithRemedy() throws {
        let file = try FileManager.default.contentsOfDirectory(atPath: folder.path).contains("vault")
        try #require(file)
        try change("board: ", "board: /nowhere")
        try change("capture: \"null\"", "capture: hw:CARD=Gone")
        #expect(chmod(folder.path + "/vault", 0o644) == 0)
        let run = try doctor()
        #expect(run.exit == .status(1), "\(run)")
        for (check, words) in [("board", "/nowhere"), ("handset", "hw:CARD=Gone"), ("mode", "chmod 600")] {
            #expect(lines(run, check).contains { $0.hasPrefix("fail ") && $0.contains(words) }, "\(check): \(run)")
        }
    }

    @Test(.limit(minutesEachTime: 1)) func missingServerIsFault() throws {
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "1", server: "127.0.0.1:9",
            more: ["--transport", "tcp", "--no-password"])
        let run = try doctor()
        #expect(run.exit == .status(1), "\(run)")
        #expect(lines(run, "account desk").first?.contains("nothing listens") == true, "\(run)")
        let offline = try doctor("--offline")
        #expect(offline.exit == .status(0), "\(offline)")
    }

    @Test(.limit(minutesEachTime: 1)) func portInUseIsFault() throws {
        let other = try DatagramPeer()
        try change("port: 26660", "port: \(other.port)")
        let run = try doctor()
        #expect(run.exit == .status(1), "\(run)")
        #expect(lines(run, "port").first?.hasPrefix("fail  port           UDP port \(other.port)") == true, "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func invalidConfigurationEndsCheck() throws {
        try change("country", "cuontry")
        let run = try doctor()
        #expect(run.exit == .status(1), "\(run)")
        #expect(lines(run, "configuration").first?.contains("cuontry") == true, "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func lostKeyIsFault() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/vault.key")
        let run = try doctor()
        #expect(run.exit == .status(1), "\(run)")
        #expect(lines(run, "vault").first?.hasPrefix("fail ") == true, "\(run)")
    }

    /// Its devices, lines and vault are in use, so the running phone is asked.
    @Test(.limit(minutesEachTime: 1)) func runningPhoneAnswersForItself() throws {
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "1", server: "127.0.0.1:9",
            more: ["--transport", "tcp", "--no-password"])
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        let run = try doctor("--json")
        let findings = try JSONValue(parsing: Array(run.output.utf8)).array ?? []
        #expect(findings.contains { $0["check"] == "phone" && $0["state"] == "ok" }, "\(run)")
        #expect(findings.contains { $0["check"] == "account desk" && $0["state"] != "ok" }, "\(run)")
        #expect(phone.process.stop().exit == .status(0))
    }
}
