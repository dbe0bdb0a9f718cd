import Base
import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// The page in the browser, of two phones that call each other: `Tests/Browser` plays the person.
@Suite(.serialized, .stallsForgiven) struct BrowserTests {
    struct Outcome: Decodable {
        let name: String
        let passed: Bool
        let took: Double
        let why: String
    }

    private static let python = Workplace.root + "/.build/browser/bin/python"
    private static let hasBrowser =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")
        && FileManager.default.isExecutableFile(atPath: python)

    @Test(
        .enabled(if: hasBrowser, "needs chromium and Playwright (Scripts/setup browser, Scripts/browser)"),
        .limit(minutesEachTime: 5))
    func personCallsOnDemoPage() throws {
        let workplace = try Workplace()
        let (story, log) = (workplace.path + "/desk.log", workplace.path + "/browser.log")
        let desk = try ChildProcess(
            [
                // In the project's folder, as a person runs it.
                "env", "--chdir", Workplace.root, Workplace.bench, "panel",
            ], environment: ["PYTHONUNBUFFERED": "1", "TMPDIR": workplace.path], log: story)
        var address = ""
        let end = MonotonicTime.now + .seconds(30)
        while address.isEmpty, MonotonicTime.now < end, desk.poll() == nil {
            let said = (try? String(contentsOfFile: story, encoding: .utf8)) ?? ""
            address = said.firstMatch(of: /http:\S+/).map { String($0.output) } ?? ""
            MonotonicTime.sleep(.milliseconds(50))
        }
        let run = try ChildProcess(
            [
                Self.python, Workplace.root + "/Tests/Browser/two.py", address,
                Self.pictures(or: workplace) + "/two-phones.png",
            ],
            environment: ["HOME": workplace.path, "PYTHONDONTWRITEBYTECODE": "1"], log: log)
        let (ran, ended) = (run.wait(upTo: .seconds(120)), desk.stop().exit)
        let said = try [story, log].map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(ran == .status(0) && ended == .status(0), "\(said)")
        try Self.expectPictures(["two-phones"], in: Self.pictures(or: workplace))
        let left = try FileManager.default.contentsOfDirectory(atPath: workplace.path)
        #expect(!left.contains { $0.hasPrefix("offhook-demo") }, "\(left)")
    }

    /// The folder of the pictures: a test takes all of them, so a missing one is noticed.
    private static func pictures(or workplace: Workplace) -> String {
        ProcessInfo.processInfo.environment["OFFHOOK_PICTURES"] ?? workplace.path
    }

    /// Pictures with content: an empty page is some 5 KB.
    private static func expectPictures(_ names: [String], in folder: String) throws {
        for name in names {
            let picture = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).png"))
            #expect(
                picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 15_000, "\(name): \(picture.count) B")
        }
    }

    @Test(
        .enabled(if: hasBrowser, "needs chromium and Playwright (Scripts/setup browser, Scripts/browser)"),
        .limit(minutesEachTime: 5))
    func readmePicturesAreTaken() throws {
        let table = try Table()
        let (log, folder) = (table.workplace.path + "/browser.log", Self.pictures(or: table.workplace))
        // The README's pictures have some time of the call in them.
        let pace = folder == table.workplace.path ? ["--quick"] : []
        let run = try ChildProcess(
            [Self.python, Workplace.root + "/Tests/Browser/pictures.py"] + pace + [folder] + table.arguments,
            environment: ["HOME": table.workplace.path, "PYTHONDONTWRITEBYTECODE": "1"], log: log)
        let ran = run.wait(upTo: .seconds(120))
        let said = try String(contentsOfFile: log, encoding: .utf8)
        #expect(ran == .status(0), "\(said)")
        try Self.expectPictures(["call", "dark", "hand", "kiosk", "setup"], in: folder)
        for phone in table.phones { #expect(phone.process.stop().exit == .status(0)) }
    }

    @Test(
        .enabled(if: hasBrowser, "needs chromium and Playwright (Scripts/setup browser, Scripts/browser)"),
        .limit(minutesEachTime: 10))
    func personUsesPageInBrowser() throws {
        let table = try Table(protection: "dtls")
        let log = table.workplace.path + "/browser.log"
        let run = try ChildProcess(
            [Self.python, Workplace.root + "/Tests/Browser/run.py"] + table.arguments,
            environment: ["HOME": table.workplace.path, "PYTHONDONTWRITEBYTECODE": "1"], log: log)
        let exit = run.wait(upTo: .seconds(540))
        let said = try String(contentsOfFile: log, encoding: .utf8)
        let outcomes = said.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
        }
        for outcome in outcomes { #expect(outcome.passed, "\(outcome.name): \(outcome.why)") }
        #expect(outcomes.count >= 55, "\(said.suffix(2_000))")
        #expect(exit == .status(0), "\(said.suffix(2_000))")
        for phone in table.phones { #expect(phone.process.stop().exit == .status(0)) }
    }
}

/// Two phones with front panels that call each other.
private struct Table {
    let workplace: Workplace
    let phones: [RigPhone]
    /// The scenarios' data of each phone.
    let arguments: [String]

    /// - Parameter protection: of both accounts; with a handshake there are words to compare.
    init(protection: String = "mandatory") throws {
        let workplace = try Workplace()
        func phone(_ name: String, _ user: String, port: UInt16, far: UInt16) throws -> (RigPhone, String) {
            var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 40)
            settings.httpPort = port + 3
            settings.peers = ["127.0.0.1", "127.0.0.2"]
            let folder = String(name.prefix { $0 != " " }).lowercased()
            settings.more = """
                  ringer: \(SoundCard.ringerName(of: folder))
                calls: {line_keys: [desk], speed_dials: {1: ["\(user == "101" ? "102" : "101")"]}}

                """
            let files = try workplace.phoneFolder(folder, settings)
            try files.addAccount(
                program: Workplace.phone, label: "desk", user: user, server: "127.0.0.1:\(far)",
                more: ["--no-register", "--no-password", "--display-name", name, "--protection", protection])
            let phone = try RigPhone(name: name, folder: files, program: Workplace.phone)
            try phone.waitUntilReady()
            let token = try phone.ask("addToken", ["label": "browser", "scope": "configure"])["token"]?.string ?? ""
            return (phone, "http://127.0.0.1:\(port + 3)/,\(token),\(port)")
        }
        self.workplace = workplace
        let alice = try phone("Alice Archer", "101", port: 26_460, far: 26_660)
        let bob = try phone("Bob Baker", "102", port: 26_660, far: 26_460)
        phones = [alice.0, bob.0]
        arguments = [alice.1, bob.1]
    }
}
