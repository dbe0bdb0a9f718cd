import Base
import Bench
import Cryptography
import Foundation
import HostStalls
import JSON
import PhoneCore
import Rig
import Testing
import Vault
import YAML
import offhook

/// Which changes of the configuration take effect while the phone runs, and which need a restart.
@Suite struct ReloadTableTests {
    private static func document(_ text: String) throws -> YAMLDocument {
        try YAMLDocument(Array(text.utf8), file: "/phone/offhook.yaml")
    }

    private static func merged(_ new: String, running: String) throws -> Settings {
        let root = ReloadTable.merged(try document(new).root, running: try document(running).root)
        return try Settings(YAMLDocument(file: "/phone/offhook.yaml", root: root))
    }

    private static let base = "board: board.yaml\nsound: { speaker: { capture: default, playback: default } }\n"

    @Test func everySectionHasAnEntry() {
        guard case .section(let keys) = ConfigurationSchema.form.kind else { return #expect(Bool(false)) }
        for key in keys() {
            #expect(ReloadTable.entries.contains { $0.path == key.path }, "\(key.path)")
        }
    }

    /// Goal: a key is reported as changed and in effect if and only if the machine's policy or the lines follow it.
    /// Method: give each key of a whole configuration another value, one at a time.
    @Test func keyIsLiveExactlyIfThePolicyOrTheLinesFollowIt() throws {
        let stored = ["office", "home"].enumerated().map { place, label in
            StoredAccount(
                id: AccountID(Int64(place) + 1), created: WallTime(unixMilliseconds: 0),
                device: String(repeating: "0", count: 32),
                account: Account(label: label, user: "101", server: "pbx.example"))
        }
        let accounts = AccountLabels(stored.map { ($0.id, $0.account.label) })
        let identity = try DTLSIdentity.make()
        let whole = MutatedConfigurationTests.whole
        let running = try Settings(whole, path: "/phone/offhook.yaml")
        let policy = try running.policy(accounts: accounts, keys: [.hold])
        let plan = try LinePlan(accounts: stored, settings: running, identity: identity)
        var seen = 0
        for (old, new, key, isLive) in Self.changes {
            #expect(whole.contains(old), "\(old)")
            let text = whole.replacingOccurrences(of: old, with: new)
            let changes = try EffectiveConfiguration(Self.document(text)).changes(
                from: EffectiveConfiguration(Self.document(whole)))
            #expect(
                !changes.isEmpty && changes.allSatisfy { YAMLKey.path(of: $0).hasPrefix(key) }, "\(key): \(changes)")
            let effects = Set(changes.map { ReloadTable.effect(of: $0) == .live })
            #expect(effects == [isLive], "\(key)")
            let next = try Self.merged(text, running: whole)
            let changed = try next.policy(accounts: accounts, keys: [.hold])
            let lines = try LinePlan(accounts: stored, settings: next, identity: identity, after: plan).settings
            #expect((changed != policy || lines != plan.settings) == isLive, "\(key)")
            seen += 1
        }
        #expect(seen == Self.changes.count)
    }

    private static let changes: [(String, String, String, Bool)] = [
        ("maximum: 2", "maximum: 3", "calls.maximum", true),
        ("maximum_length: 5 min", "maximum_length: 6 min", "calls.maximum_length", true),
        ("\"0XXXXXX.\"", "\"9XXXXXX.\"", "calls.dial_plan", true),
        ("emergency: [\"112\"]", "emergency: [\"911\"]", "calls.emergency", true),
        ("1: [200, \"sip:guard@pbx.example\"]", "1: [201]", "calls.speed_dials.1", true),
        ("3: \"42\"", "3: \"17\"", "calls.organization_keys", true),
        ("office: \"*97\"", "office: \"*98\"", "calls.voicemail", true),
        ("transfer_targets: [\"2XX\"]", "transfer_targets: [\"3XX\"]", "calls.transfer_targets", true),
        ("rings: { door: [1 s, 2 s] }", "rings: { door: [1 s, 3 s] }", "calls.rings", true),
        ("\"Mallory\"", "\"Eve\"", "calls.blocked", true),
        ("only_when_asked: false", "only_when_asked: true", "calls.auto_answer.only_when_asked", true),
        ("network: { timeout: 30 s", "network: { timeout: 31 s", "network.timeout", true),
        ("shortest: 100 ms", "shortest: 101 ms", "panel.flash.shortest", true),
        ("code: \"4711#\"", "code: \"4712#\"", "relays.1.code", true),
        ("pulse: 5 s", "pulse: 6 s", "relays.1.pulse", true),
        ("wait: 1 min", "wait: 2 min", "alarms.tamper.wait", true),
        ("follow_transfers: true", "follow_transfers: false", "calls.follow_transfers", true),
        ("format: opus", "format: wav", "calls.recording.format", false),
        ("folder: sounds", "folder: music", "calls.playing.folder", false),
        ("port: 5060\n", "port: 5070\n", "sip.port", true), ("gruu: true", "gruu: false", "sip.gruu", true),
        ("codecs: [opus, pcma]", "codecs: [pcma]", "media.codecs", true),
        ("country: DE", "country: FR", "sound.country", false),
        ("ringer: default", "ringer: other", "sound.ringer", false),
        ("label: fire", "label: smoke", "paging.groups", false),
        ("file: vault,", "file: safe,", "vault.file", false),
        ("socket: control.sock", "socket: c.sock", "control.socket", false),
    ]

    @Test func removedAndAddedSectionsAreChanges() throws {
        let more = Self.base + "relays: { 1: { pulse: 5 s } }\ncalls: { maximum: 3 }\n"
        func paths(_ new: String, _ old: String) throws -> [String] {
            try EffectiveConfiguration(Self.document(new)).changes(from: EffectiveConfiguration(Self.document(old)))
                .map { YAMLKey.path(of: $0) }
        }
        #expect(try paths(more, Self.base).count == 2 && paths(Self.base, more).count == 2)
        #expect(try paths(Self.base, Self.base + "calls: { maximum: 2 }\nsip: { address: \"0.0.0.0\" }\n").isEmpty)
    }
}

/// The configuration is read again while the phone runs.
@Suite(.serialized, .stallsForgiven) struct ReloadTests {
    private let pair: PhonePair

    init() throws {
        pair = try PhonePair { $0.more = "calls: { dial_plan: [\"1XX\"] }\nrelays: { 1: { pulse: 5 s } }\n" }
    }

    private var alice: RigPhone { pair.alice }
    private var log: String { (try? TextFile.read(alice.folder.log)) ?? "" }

    private func replace(_ text: String, _ other: String) throws {
        let old = try TextFile.read(alice.folder.configuration)
        #expect(old.contains(text))
        try TextFile.write(old.replacingOccurrences(of: text, with: other), to: alice.folder.configuration)
    }

    private func waitForLog(_ words: String) -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while !log.contains(words), MonotonicTime.now < end { MonotonicTime.sleep(.milliseconds(20)) }
        return log.contains(words)
    }

    private func stop() {
        #expect(alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func signalAppliesChangesDuringCall() throws {
        try pair.establish()
        try replace("dial_plan: [\"1XX\"]", "dial_plan: [\"7XX\"]")
        try replace("log: info", "log: debug")
        alice.process.signal(SIGHUP)
        #expect(waitForLog("configuration changed: calls.dial_plan, log"), "\(log)")
        #expect(try alice.ask("getSnapshot")["calls"]?.array?.first?["phase"]?.string == "active")
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        // The new plan dials its own numbers without a pause.
        try alice.ask("liftHook")
        try alice.wait(for: "toneChanged") { $0.fields["tone"] == "dial" }
        for key in ["7", "0", "0"] { try alice.press(key) }
        try alice.wait(for: "callStarted", upTo: .seconds(2)) { $0.fields["summary"]?["number"] == "700" }
        stop()
    }

    @Test(.limit(minutesEachTime: 2)) func methodNamesWhatIsInEffectAndWhatNeedsARestart() throws {
        try replace("pulse: 5 s", "pulse: 6 s")
        try replace("country: US", "country: DE")
        let answer = try alice.ask("reload")
        #expect(answer["applied"] == ["relays.1.pulse"] && answer["restart"] == ["sound.country"], "\(answer)")
        #expect(log.contains("needs a restart: sound.country"), "\(log)")
        // What is not in effect stays a change.
        #expect(try alice.ask("reload")["applied"] == [])
        #expect(try alice.ask("reload")["restart"] == ["sound.country"])
        let run = try Command(["ctl", "reload", "--socket", alice.folder.socket], in: pair.workplace)
        #expect(run.exit == .status(0) && run.output.contains("(offhook ctl restart): sound.country"), "\(run)")
        stop()
    }

    @Test(.limit(minutesEachTime: 2)) func wrongFileChangesNothingAndListsEveryError() throws {
        try pair.establish()
        try replace("dial_plan: [\"1XX\"]", "dial_plan: [\"7XX\"], maximum: 9, account: nobody")
        try replace("pulse: 5 s", "puls: 5 s")
        alice.process.signal(SIGHUP)
        #expect(waitForLog("relays.1: unknown key \"puls\" (did you mean \"pulse\"?)"), "\(log)")
        #expect(log.contains("calls.maximum: expected a whole number from 1 to 8"), "\(log)")
        let run = try Command(["ctl", "reload", "--socket", alice.folder.socket], in: pair.workplace)
        #expect(run.exit == .status(1) && run.output.contains("nothing has changed"), "\(run)")
        #expect(run.output.contains("puls") && run.output.contains("calls.maximum"), "\(run)")
        try replace("maximum: 9, ", "")
        try replace("puls:", "pulse:")
        let other = try Command(["ctl", "reload", "--socket", alice.folder.socket], in: pair.workplace)
        #expect(other.output.contains("there is no account \"nobody\""), "\(other)")
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        // The former plan still waits for more digits than the new one would.
        try alice.ask("liftHook")
        try alice.wait(for: "toneChanged") { $0.fields["tone"] == "dial" }
        for key in ["1", "0", "2"] { try alice.press(key) }
        try alice.wait(for: "callStarted", upTo: .seconds(2)) { $0.fields["summary"]?["number"] == "102" }
        stop()
    }

    @Test(.limit(minutesEachTime: 2)) func watchedNumbersAreInEffectAtOnce() throws {
        try replace("dial_plan: [\"1XX\"]", "dial_plan: [\"1XX\"], speed_dials: { 1: { targets: 102, watch: phone } }")
        let answer = try alice.ask("reload")
        let keys: JSONValue = ["calls.speed_dials.1.targets", "calls.speed_dials.1.watch"]
        #expect(answer["applied"] == keys && answer["restart"] == [], "\(answer)")
        stop()
    }

    /// The phone began without a rule, so also without a thread for programs.
    @Test(.limit(minutesEachTime: 2)) func programsStartByTheNewRules() throws {
        let (first, second) = (alice.folder.path + "/first", alice.folder.path + "/second")
        let rule = "\non_event:\n  - { events: [callStarted], run: [/usr/bin/touch, \(first)] }\n"
        try TextFile.write(try TextFile.read(alice.folder.configuration) + rule, to: alice.folder.configuration)
        #expect(try alice.ask("reload")["restart"] == [])
        func isThere(_ path: String) -> Bool {
            let end = MonotonicTime.now + .seconds(5)
            while !FileManager.default.fileExists(atPath: path), MonotonicTime.now < end {
                MonotonicTime.sleep(.milliseconds(20))
            }
            return FileManager.default.fileExists(atPath: path)
        }
        try pair.establish()
        #expect(isThere(first))
        try FileManager.default.removeItem(atPath: first)
        try replace("callStarted], run: [/usr/bin/touch, \(first)]", "callEnded], run: [/usr/bin/touch, \(second)]")
        #expect(try alice.ask("reload")["restart"] == [])
        try alice.ask("hangup")
        #expect(isThere(second))
        #expect(!FileManager.default.fileExists(atPath: first))
        stop()
    }

    @Test(.limit(minutesEachTime: 2)) func backendIsUsedAndLeftAtOnce() throws {
        #expect { try alice.ask("signIn") } throws: { "\($0)".contains("notSupported") }
        let section = "\nbackend: { url: \"https://127.0.0.1:9\" }\n"
        let former = try TextFile.read(alice.folder.configuration)
        try TextFile.write(former + section, to: alice.folder.configuration)
        #expect(try alice.ask("reload")["restart"] == [])
        #expect { try alice.ask("signIn") } throws: { "\($0)".contains("cannot be reached") }
        try TextFile.write(former, to: alice.folder.configuration)
        #expect(try alice.ask("reload")["restart"] == [])
        #expect { try alice.ask("signIn") } throws: { "\($0)".contains("notSupported") }
        stop()
    }

    @Test(.limit(minutesEachTime: 2)) func pageLearnsNewMeaningOfKey() throws {
        try replace("dial_plan: [\"1XX\"]", "dial_plan: [\"1XX\"], speed_dials: { 1: 102 }")
        #expect(try alice.ask("reload")["applied"] == ["calls.speed_dials"])
        #expect("\(try alice.ask("getPanel"))".contains("102"))
        stop()
    }
}

/// The service manager is told about a reload.
@Suite(.serialized, .stallsForgiven) struct ReloadNotificationTests {
    @Test(.limit(minutesEachTime: 1)) func serviceManagerHearsOfReload() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_330, firstMediaPort: 26_670))
        let socket = workplace.path + "/notify"
        let listener = try NotifySocket(path: socket)
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone, prefix: ["env", "NOTIFY_SOCKET=\(socket)"])
        #expect(listener.next(within: .seconds(20)) == "READY=1")
        let before = MonotonicTime.now
        phone.process.signal(SIGHUP)
        var messages: [String] = []
        while messages.last != "READY=1", let message = listener.next(within: .seconds(10)) {
            if !message.hasPrefix("STATUS=") { messages.append(message) }
        }
        let lines = messages.first?.split(separator: "\n") ?? []
        #expect(lines.first == "RELOADING=1" && messages.count == 2, "\(messages)")
        let time = lines.last.flatMap { $0.hasPrefix("MONOTONIC_USEC=") ? Int64($0.dropFirst(15)) : nil }
        #expect(time.map { $0 > 0 } == true, "\(messages), \(before)")
        #expect(phone.process.stop(within: .seconds(10)).exit == .status(0))
    }
}
