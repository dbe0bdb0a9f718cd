import Bench
import Foundation
import Rig
import HostStalls
import Testing

/// The event log of the running program equals its behaviour.
@Suite(.serialized, .stallsForgiven) struct RecordingTests {
    private let workplace: Workplace
    private let folder: PhoneFolder
    private let file: String

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_180, firstMediaPort: 26_520))
        file = workplace.path + "/phone.jsonl"
    }

    /// Runs the phone with more arguments than the rig gives it.
    private func phone(_ more: [String]) throws -> RigPhone {
        let script = "exec \"$0\" \"$@\" " + more.map { "'\($0)'" }.joined(separator: " ")
        return try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone, prefix: ["sh", "-c", script])
    }

    private func replay(_ file: String, _ more: String...) throws -> Command {
        try Command(["replay", file] + more, in: workplace)
    }

    /// Lifts, dials, replaces the handset, and ends the program.
    private func liveThroughACall(_ more: [String]) throws {
        let phone = try phone(["--record", file] + more)
        try phone.ask("liftHook")
        try phone.wait(for: "toneChanged") { $0.fields["tone"] == "dial" }
        for key in ["5", "5", "5", "0", "1", "9", "8", "#"] {
            try phone.press(key)
        }
        try phone.wait(for: "callStarted")
        // The direct line reaches addresses, not numbers.
        try phone.wait(for: "callFailed")
        try phone.ask("replaceHook")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2), arguments: [false, true])
    func recordedEventsReplay(redacts: Bool) throws {
        try liveThroughACall(redacts ? ["--record-redact"] : [])
        let run = try replay(file)
        #expect(run.exit == .status(0), "\(run)")
        #expect(run.output.contains("panel: hook off hook") && run.output.contains("identical"), "\(run)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("5550198") != redacts)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try replay(file, "--quiet").output.split(separator: "\n").count == 1)
    }

    @Test(.limit(minutesEachTime: 2)) func startKeepsFormerRecording() throws {
        try liveThroughACall([])
        try liveThroughACall([])
        for file in [file, file + ".1"] { #expect(try replay(file, "--quiet").exit == .status(0)) }
    }

    @Test(.limit(minutesEachTime: 2)) func changedEffectIsMismatch() throws {
        try liveThroughACall([])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("\"dial\""))
        try TextFile.write(text.replacingOccurrences(of: "\"dial\"", with: "\"busy\""), to: file)
        let run = try replay(file)
        #expect(run.exit == .status(1), "\(run)")
        #expect(run.output.contains("differs") && run.output.contains("tone busy"), "\(run)")
    }

    @Test(.limit(minutesEachTime: 1), arguments: ["/nowhere/phone.jsonl", "/dev/null", "/etc/hosts"])
    func impossiblePlaceIsNamedAndPhoneStillCalls(_ path: String) throws {
        let before = FileManager.default.contents(atPath: path)
        let phone = try phone(["--record", path])
        let faults = try phone.ask("getSnapshot")["faults"]?.array ?? []
        #expect(faults.contains { $0.string?.contains(path) == true }, "\(faults)")
        #expect(phone.process.stop().exit == .status(0))
        #expect(try String(contentsOfFile: folder.log, encoding: .utf8).contains(path))
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test(.limit(minutesEachTime: 1)) func symbolicLinkIsNotFollowed() throws {
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: workplace.path + "/elsewhere")
        let phone = try phone(["--record", file])
        #expect(phone.process.stop().exit == .status(0))
        #expect(try String(contentsOfFile: folder.log, encoding: .utf8).contains("symbolic link"))
        #expect(!FileManager.default.fileExists(atPath: workplace.path + "/elsewhere"))
    }

    @Test func otherFileIsNotReplayed() throws {
        for path in [folder.configuration, workplace.path, "/nowhere/phone.jsonl"] {
            let run = try replay(path)
            #expect(run.failed && run.output.contains(path), "\(run)")
        }
    }
}
