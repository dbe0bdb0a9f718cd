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
    func aPersonCallsAcrossThePageOfTheDemo() throws {
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
            [Self.python, Workplace.root + "/Tests/Browser/two.py", address],
            environment: ["HOME": workplace.path, "PYTHONDONTWRITEBYTECODE": "1"], log: log)
        let (ran, ended) = (run.wait(upTo: .seconds(120)), desk.stop().exit)
        let said = try [story, log].map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(ran == .status(0) && ended == .status(0), "\(said)")
        let left = try FileManager.default.contentsOfDirectory(atPath: workplace.path)
        #expect(!left.contains { $0.hasPrefix("offhook-demo") }, "\(left)")
    }

    @Test(
        .enabled(if: hasBrowser, "needs chromium and Playwright (Scripts/setup browser, Scripts/browser)"),
        .limit(minutesEachTime: 5))
    func aPersonUsesThePageInTheBrowser() throws {
        let table = try Table()
        let log = table.workplace.path + "/browser.log"
        let run = try ChildProcess(
            [Self.python, Workplace.root + "/Tests/Browser/run.py"] + table.arguments,
            environment: ["HOME": table.workplace.path, "PYTHONDONTWRITEBYTECODE": "1"], log: log)
        let exit = run.wait(upTo: .seconds(240))
        let said = try String(contentsOfFile: log, encoding: .utf8)
        let outcomes = said.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
        }
        for outcome in outcomes { #expect(outcome.passed, "\(outcome.name): \(outcome.why)") }
        #expect(outcomes.count >= 17, "\(said.suffix(2_000))")
        #expect(exit == .status(0), "\(said.suffix(2_000))")
        for phone in table.phones { #expect(phone.process.stop().exit == .status(0)) }
    }
}

/// Two phones with front panels that call each other.
private struct Table {
    let workplace: Workplace
    let phones: [RigPhone]
    /// What the scenarios are told of each phone.
    let arguments: [String]

    init() throws {
        let workplace = try Workplace()
        func phone(_ name: String, _ user: String, port: UInt16, far: UInt16) throws -> (RigPhone, String) {
            var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 40)
            settings.httpPort = port + 3
            settings.peers = ["127.0.0.1", "127.0.0.2"]
            settings.more = "calls: {line_keys: [desk], speed_dials: {1: [\"\(user == "101" ? "102" : "101")\"]}}\n"
            let folder = try workplace.phoneFolder(String(name.prefix { $0 != " " }).lowercased(), settings)
            try folder.addAccount(
                program: Workplace.phone, label: "desk", user: user, server: "127.0.0.1:\(far)",
                more: ["--no-register", "--no-password", "--display-name", name])
            let phone = try RigPhone(name: name, folder: folder, program: Workplace.phone)
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
