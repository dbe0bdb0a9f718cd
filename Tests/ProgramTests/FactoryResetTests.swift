import Base
import Bench
import Foundation
import Rig
import Testing
import offhook

/// `offhook factory-reset`: what it removes, and when it removes nothing.
@Suite struct FactoryResetTests {
    private let workplace: Workplace
    private let folder: PhoneFolder
    private let recordings: String

    init() throws {
        workplace = try Workplace()
        recordings = workplace.path + "/recordings"
        try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
        var settings = PhoneFolder.Settings(port: 26_248, firstMediaPort: 26_660)
        settings.more = "calls: { recording: { folder: \(recordings) } }"
        folder = try workplace.phoneFolder("phone", settings)
        for name in ["20261122-010203-in-1.7.opus.sealed", "20261122-010203-out-1.wav", "family.wav"] {
            try TextFile.write("sound", to: recordings + "/" + name)
        }
        for name in ["events.jsonl", "events.jsonl.1"] {
            try TextFile.write("{\"format\":\"offhook recording 1\"}\n", to: folder.path + "/" + name)
        }
        try TextFile.write("mine", to: folder.path + "/notes.jsonl")
    }

    private func reset(_ words: String..., input: String? = nil) throws -> Command {
        try Command(["factory-reset", "--config", folder.configuration] + words, in: workplace, input: input)
    }

    private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }

    @Test func everythingOfThePhoneIsRemovedAndNothingElse() throws {
        let unsure = try reset(input: "reset\n")
        #expect(unsure.failed && unsure.output.contains("nothing was removed"), "\(unsure)")
        #expect(unsure.output.contains("key of the vault: \(folder.path)/vault.key"), "\(unsure)")
        #expect(isThere("vault") && isThere("vault.key"))
        let done = try reset("--yes")
        #expect(done.exit == .status(0), "\(done)")
        for name in ["vault", "vault.key", "events.jsonl", "events.jsonl.1"] { #expect(!isThere(name), "\(name)") }
        for name in ["offhook.yaml", "notes.jsonl"] { #expect(isThere(name), "\(name)") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: recordings) == ["family.wav"])
        let again = try reset("--yes")
        #expect(again.exit == .status(0) && again.output.contains("nothing to remove"), "\(again)")
        let new = try Command(
            ["vault", "init", "--key", "file", "--config", folder.configuration], in: workplace)
        #expect(new.exit == .status(0), "\(new)")
    }

    @Test func runningPhoneKeepsAll() throws {
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        defer { _ = phone.process.stop() }
        let refused = try reset("--yes")
        #expect(refused.failed && refused.output.contains("the phone is running"), "\(refused)")
        #expect(isThere("vault") && isThere("vault.key") && isThere("events.jsonl"))
    }

    /// Root may run it in a folder of another user.
    @Test func linksAreRemovedAndTheirTargetsStay() throws {
        let target = workplace.path + "/precious"
        try TextFile.write("precious", to: target)
        try FileManager.default.removeItem(atPath: folder.path + "/vault.key")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/vault.key", withDestinationPath: target)
        _ = try reset("--yes")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
        #expect(!isThere("vault"))
    }

    @Test func newConfigurationIsThatOfThePackage() throws {
        let package = Workplace.root + "/Scripts/package.d/debian/offhook.yaml"
        #expect(try String(contentsOfFile: package, encoding: .utf8) == FactoryReset.newConfiguration)
    }
}
