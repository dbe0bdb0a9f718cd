import Base
import Bench
import Control
import Foundation
import HostStalls
import JSON
import Rig
import SIPCore
import Testing

/// Trials that a running phone makes for programs, and their interruptions.
@Suite(.serialized, .stallsForgiven) struct PageSetupTests {
    private let workplace: Workplace
    private let phone: RigPhone
    /// A server that never answers.
    private let server: DatagramPeer

    init() throws {
        workplace = try Workplace()
        server = try DatagramPeer()
        var settings = PhoneFolder.Settings(port: 26_760, firstMediaPort: 26_780)
        settings.peers = ["127.0.0.1"]
        settings.more = "  ringer: \(SoundCard.ringerName(of: "phone"))"
        phone = try RigPhone(
            name: "phone", folder: try workplace.phoneFolder("phone", settings), program: Workplace.phone)
    }

    /// A program that asks and waits for the answer.
    private func asker(_ words: String...) throws -> ChildProcess {
        try ChildProcess(
            [Workplace.phone, "ctl"] + words + ["--socket", phone.folder.socket], log: workplace.path + "/asker")
    }

    private var said: String { (try? String(contentsOfFile: workplace.path + "/asker", encoding: .utf8)) ?? "" }

    private func tries(_ what: JSONValue, upTo limit: Duration = .seconds(10)) throws -> Bool {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            if try phone.ask("getSetup")["trying"] == what { return true }
        }
        return false
    }

    private func code(_ method: String, _ params: [String: JSONValue] = [:]) throws -> String? {
        do {
            try phone.ask(method, params)
            return nil
        } catch ControlClientError.refused(let code, _, _) {
            return code
        }
    }

    private var account: [String: JSONValue] {
        ["label": "office", "user": "101", "server": .string("127.0.0.1:\(server.port)")]
    }

    @Test(.limit(minutesEachTime: 1)) func toneIsPlayedAndVoiceIsRecorded() throws {
        let began = Wire.now
        #expect(try phone.ask("tryDevice", ["route": "handset", "part": "play"]) == [:])
        #expect((phone.ear.heard(began..<Wire.now).map { abs(Int($0)) }.max() ?? 0) > 1_000)
        phone.mouth.say((0..<10 * Wire.rate).map { Int16(3_277 * sin(Double($0) / 10)) }, at: Wire.now)
        let heard = try phone.ask("tryDevice", ["route": "handset", "part": "record"], upTo: .seconds(20))
        #expect(heard["code"] == "heard" && heard["good"] == true, "\(heard)")
        let now = Wire.now
        let loudest = phone.ear.heard(now - 3 * Wire.rate / 2..<now - Wire.rate).map { abs(Int($0)) }.max() ?? 0
        #expect((3_000...3_500).contains(loudest), "\(loudest)")
        #expect(try code("tryDevice", ["route": "headset", "part": "play"]) == "noDevice")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func ringerTonePlaysOnItsDevice() throws {
        let ringer = try Wire(path: phone.folder.card.ringer)
        let began = Wire.now
        #expect(try phone.ask("tryDevice", ["route": "ringer", "part": "play"]) == [:])
        #expect((ringer.heard(began..<Wire.now).map { abs(Int($0)) }.max() ?? 0) > 1_000)
        #expect(phone.ear.heard(began..<Wire.now).allSatisfy { $0 == 0 }, "nowhere else")
        #expect(try code("tryDevice", ["route": "ringer", "part": "record"]) == "invalidParams")
        let stranger: [String: JSONValue] = [
            "route": "ringer", "part": "play", "device": "tee:null,/tmp/offhook-was-here,raw",
        ]
        #expect(try code("tryDevice", stranger) == "noDevice")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func phoneTakesDevicesBackForCall() throws {
        let trial = try asker("call", "tryDevice", "route=handset", "part=record")
        #expect(try tries("sound"))
        try phone.ask("liftHook")
        #expect(trial.wait(upTo: .seconds(5)) == .status(1) && said.contains("soundInUse"), "\(said)")
        try phone.wait(for: "toneChanged") { $0.fields["tone"] == "dial" }
        let began = Wire.now
        MonotonicTime.sleep(.milliseconds(300))
        #expect((phone.ear.heard(began..<Wire.now).map { abs(Int($0)) }.max() ?? 0) > 1_000, "the dial tone is there")
        #expect(try code("tryDevice", ["route": "handset", "part": "play"]) == "soundInUse")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func oneTrialRunsAtATimeAndEndsWithItsClient() throws {
        let trial = try asker("call", "tryAccount", "label=a", "user=b", "server=127.0.0.1:\(server.port)")
        #expect(try tries("account"))
        #expect(try code("tryAccount", account) == "busy")
        #expect(try code("tryDevice", ["route": "handset", "part": "play"]) == "busy")
        trial.signal(SIGKILL)
        // The server is also silent when the trial unregisters.
        #expect(try tries(.null, upTo: .seconds(6)))
        #expect(try phone.ask("getSetup")["tried"] == .null)
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func stoppingPhoneWaitsForNoTrial() throws {
        let trial = try asker("call", "tryAccount", "label=a", "user=b", "server=127.0.0.1:\(server.port)")
        #expect(try tries("account"))
        let end = phone.process.stop()
        #expect(end.exit == .status(0) && end.took < .seconds(2), "\(end)")
        #expect(trial.wait(upTo: .seconds(5)) == .status(1))
    }

    @Test(.limit(minutesEachTime: 1)) func restartIsRefusedDuringCall() throws {
        let call = try asker("dial", "sip:nobody@127.0.0.1:\(server.port)")
        _ = try server.request(.invite)
        #expect(try code("restart") == "inCall")
        #expect(try code("tryDevice", ["route": "handset", "part": "play"]) == "soundInUse")
        #expect(phone.process.stop().exit == .status(0))
        _ = call.wait(upTo: .seconds(5))
    }

    /// How many restarts the phone's log says were refused.
    private var refusals: Int {
        get throws {
            try String(contentsOfFile: phone.folder.log, encoding: .utf8).components(separatedBy: "restart refused")
                .count - 1
        }
    }

    /// A mistake in a file must not stop the phone, even on a requested restart.
    @Test(.limit(minutesEachTime: 1)) func failingRestartIsRefused() throws {
        let good = try configuration
        for (bad, complaint) in [
            (good + "\nnonsense: true\n", "nonsense"),
            (
                good.replacingOccurrences(of: "sip:\n", with: "sip:\n  tls: { authorities: nowhere.pem }\n"),
                "nowhere.pem"
            ),
            (good.replacingOccurrences(of: "board: ", with: "board: nowhere/"), "nowhere/"),
        ] {
            #expect(bad != good)
            try TextFile.write(bad, to: phone.folder.configuration)
            #expect {
                try phone.ask("restart")
            } throws: { error in
                guard case ControlClientError.refused(_, let message, _) = error else { return false }
                return message.contains(complaint)
            }
            #expect(try code("restart") == "wouldNotStart")
            let before = try refusals
            phone.process.signal(SIGUSR1)
            // The phone reads the file at its leisure, so this file must stay until it has.
            let end = MonotonicTime.now + .seconds(10)
            while try refusals == before, MonotonicTime.now < end { MonotonicTime.sleep(.milliseconds(10)) }
            #expect(try refusals == before + 1)
        }
        #expect(phone.process.poll() == nil)
        let key = phone.folder.path + "/vault.key"
        try TextFile.write(good, to: phone.folder.configuration)
        try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
        #expect(try code("restart") == "wouldNotStart")
        try FileManager.default.moveItem(atPath: key + ".away", toPath: key)
        try phone.ask("restart")
        try phone.waitForRestart()
        #expect(phone.process.stop().exit == .status(0))
    }

    /// The answers do not reveal which files exist on the machine.
    @Test(.limit(minutesEachTime: 1)) func unreadableAuthorityFilesGetSameError() throws {
        let answers = try ["/etc/passwd", "/etc", "/dev/zero", "/nowhere.pem", "/root/.profile"].map { file in
            var text = ""
            do {
                try phone.ask("planSetup", ["authorities": .string(file)])
            } catch ControlClientError.refused(_, let message, _) {
                text = message
            }
            return text.replacingOccurrences(of: file, with: "FILE")
        }
        #expect(Set(answers).count == 1 && answers.first?.isEmpty == false, "\(answers)")
        #expect(try code("tryAccount", account.merging(["authorities": "/etc/passwd"]) { $1 }) == "invalidParams")
        #expect(phone.process.stop().exit == .status(0))
    }

    // MARK: Accounts

    private static let secret = "correct horse battery"

    private func accounts() throws -> [JSONValue] { try phone.ask("getSetup")["accounts"]?.array ?? [] }

    private func secretIsHidden(in told: JSONValue...) -> Bool { told.allSatisfy { !$0.text.contains(Self.secret) } }

    @Test(.limit(minutesEachTime: 1)) func accountIsAddedChangedAndRemoved() throws {
        var fields = account
        (fields["registers"], fields["password"]) = (false, .string(Self.secret))
        fields["turn"] = "me@127.0.0.1:9"
        fields["turnPassword"] = .string(Self.secret)
        let added = try phone.ask("addAccount", fields)
        #expect(added == ["label": "office"])
        let before = try #require(try accounts().first)
        #expect(before["kind"] == "sip" && before["registers"] == false && before["ice"] == "answered", "\(before)")
        #expect(before["password"] == true && before["token"] == false && before["signIn"] == false, "\(before)")
        #expect(before["turn"] == "me@127.0.0.1:9" && before["stun"] == "", "\(before)")
        #expect(try code("addAccount", fields) == "invalidParams", "the label is taken")
        // The label names the account at once, and only the new one.
        let changed = try phone.ask(
            "changeAccount", ["account": "office", "label": "hall", "displayName": "Ada", "transport": "tcp"])
        #expect(changed == ["label": "hall"])
        #expect(try code("changeAccount", ["account": "office", "displayName": ""]) == "invalidParams")
        let after = try #require(try accounts().first)
        #expect(after["displayName"] == "Ada" && after["transport"] == "tcp" && after["password"] == true, "\(after)")
        #expect(try code("changeAccount", ["account": "hall", "server": "127.0.0.2:9"]) == "invalidParams")
        #expect(try code("changeAccount", ["account": "hall", "turn": "me@127.0.0.2"]) == "invalidParams")
        let setup = try phone.ask("getSetup")
        #expect(setup["restart"] == false && setup["kinds"]?["verto"]?["transport"] == ["wss", "ws"])
        #expect(secretIsHidden(in: added, before, changed, after))
        #expect(try phone.ask("removeAccount", ["account": "hall"]) == [:])
        #expect(try accounts().isEmpty)
        #expect(try code("removeAccount", ["account": 77]) == "invalidParams")
        #expect(phone.process.stop().exit == .status(0))
    }

    /// The same grammar as `offhook account`.
    @Test(.limit(minutesEachTime: 1)) func accountsAreManagedByCommand() throws {
        func ctl(_ words: String..., input: String? = nil) throws -> Command {
            try Command(["ctl", "account"] + words + ["--socket", phone.folder.socket], in: workplace, input: input)
        }
        let added = try ctl(
            "add", "desk", "--kind", "verto", "--user", "1000", "--server", "127.0.0.1:9", "--transport", "ws",
            "--no-register", "--password-stdin", input: Self.secret)
        #expect(added.output == "desk: added\n", "\(added)")
        let listed = try ctl()
        #expect(listed.output.contains("desk  1000 at 127.0.0.1:9, verto over ws"), "\(listed)")
        let changed = try ctl("change", "desk", "--new-label", "hall", "--ice", "always", "--stun", "127.0.0.1")
        #expect(changed.output == "hall: changed\n", "\(changed)")
        let stolen = try ctl("change", "hall", "--server", "127.0.0.2:9")
        #expect(stolen.exit == .status(1) && stolen.output.contains("needs the password again"), "\(stolen)")
        for words in [["add", "x", "--user", "1"], ["add", "x", "--user", "1@h", "--server", "h", "--no-password"]] {
            let wrong = try Command(["ctl", "account"] + words + ["--socket", phone.folder.socket], in: workplace)
            #expect(wrong.exit == .status(64), "\(wrong)")
        }
        #expect(try ctl("remove", "hall").output == "hall: removed\n")
        #expect(try ctl("list").output == "no accounts\n")
        #expect(try ctl("remove", "hall").exit == .status(1))
        #expect(phone.process.stop().exit == .status(0))
    }

    // MARK: Files

    private var configuration: String {
        get throws { try String(contentsOfFile: phone.folder.configuration, encoding: .utf8) }
    }

    @Test(.limit(minutesEachTime: 1)) func chosenDevicesAreShownThenWritten() throws {
        let before = try configuration
        let plan = try phone.ask("planSetup", ["country": "GB", "headset": "none", "board": "simulator"])
        let diff = plan["diff"]?.string ?? ""
        #expect(diff.contains("+  country: GB") && diff.contains("+board: board.yaml"), "\(diff)")
        #expect(plan["writable"] == true && plan["files"]?.array?.count == 2, "\(plan)")
        #expect(try configuration == before, "nothing is written yet")
        let number = try #require(plan["plan"])
        let written = try phone.ask("writeSetup", ["plan": number])
        #expect(written["restart"] == true && written["files"]?.array?.count == 2, "\(written)")
        #expect(try configuration.contains("country: GB"))
        #expect(try String(contentsOfFile: phone.folder.configuration + ".bak", encoding: .utf8) == before)
        #expect(try phone.ask("getSetup")["restart"] == true)
        #expect(try code("writeSetup", ["plan": number]) == "noSuchPlan", "once")
        try phone.ask("restart")
        try phone.waitForRestart()
        let now = try phone.ask("getSetup")
        #expect(now["sound"]?["country"] == "GB" && now["restart"] == false, "\(now)")
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func serverTrustIsShownThenWritten() throws {
        // Nothing listens there, which is soon detected.
        let refused: [String: JSONValue] = [
            "label": "office", "user": "101", "server": "127.0.0.1:9", "transport": "tcp",
        ]
        let tried = try phone.ask("tryAccount", refused, upTo: .seconds(20))
        try phone.ask("addAccount", ["trial": try #require(tried["trial"])])
        let (pin, file) = (String(repeating: "AB", count: 32), workplace.path + "/authority.pem")
        let certificates = try Certificates()
        try FileManager.default.copyItem(atPath: certificates.authority, toPath: file)
        let plan = try phone.ask("planSetup", ["label": "office", "pin": .string(pin), "authorities": .string(file)])
        let diff = plan["diff"]?.string ?? ""
        #expect(diff.contains("authorities: \(file)") && diff.contains("office: "), "\(diff)")
        #expect(try phone.ask("writeSetup", ["plan": try #require(plan["plan"])])["restart"] == true)
        #expect(try configuration.contains("pins:"))
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func invalidServerTrustIsRefused() throws {
        let before = try configuration
        let pin = JSONValue.string(String(repeating: "ab", count: 32))
        for (wrong, _) in [
            (["label": "office", "pin": "ab:cd"], "no fingerprint"), (["label": "nobody", "pin": pin], "no account"),
            (["pin": pin], "whose?"), (["authorities": "/dev/zero"], "no file"),
            (["authorities": "/etc"], "a folder"), (["authorities": "nowhere.pem"], "not there"),
        ] as [([String: JSONValue], String)] {
            #expect(try code("planSetup", wrong) == "invalidParams", "\(wrong)")
        }
        #expect(try code("tryAccount", account.merging(["pin": "ab:cd"]) { $1 }) == "invalidParams")
        #expect(try code("tryAccount", account.merging(["authorities": "/dev/zero"]) { $1 }) == "invalidParams")
        #expect(try configuration == before)
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func fileChangedByPersonIsKept() throws {
        let number = try #require(try phone.ask("planSetup", ["country": "GB"])["plan"])
        let changed = try configuration + "# A person was here.\n"
        try changed.write(toFile: phone.folder.configuration, atomically: true, encoding: .utf8)
        #expect(try code("writeSetup", ["plan": number]) == "notWritten")
        #expect(try configuration == changed)
        #expect(phone.process.stop().exit == .status(0))
    }

    /// Some of ALSA's devices write files or run programs; a board without its chips leaves the phone without hook and
    /// keys.
    @Test(
        .limit(minutesEachTime: 1),
        arguments: [
            ("handset", "file:'|touch /tmp/offhook-was-here',raw"), ("speaker", "tee:null,/tmp/offhook-was-here,raw"),
            ("ringer", "plughw:CARD=NotHere"), ("headset", "1"), ("country", "XX"), ("board", "/etc/hostname"),
            ("board", "../board/simulator"), ("board", "raspberry-pi"), ("handset", "none"),
        ])
    func missingHardwareIsNotPlanned(name: String, choice: String) throws {
        let before = try configuration
        #expect(try code("planSetup", [name: .string(choice)]) == "invalidParams")
        if name == "handset" || name == "speaker" {
            #expect(
                try code("tryDevice", ["route": .string(name), "part": "play", "device": .string(choice)]) == "noDevice"
            )
        }
        #expect(try configuration == before)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/offhook-was-here"))
    }

    @Test(
        .limit(minutesEachTime: 1),
        arguments: [
            ("user", "101@pbx"), ("server", "pbx example"), ("server", "pbx:0"), ("label", ""), ("label", "a\u{7}b"),
            ("authUser", "\u{202E}x"), ("displayName", "\n"), ("domain", "a/b"),
        ])
    func invalidAnswerIsRefused(name: String, text: String) throws {
        var draft = account
        draft[name] = .string(text)
        #expect(try code("tryAccount", draft) == "invalidParams")
        #expect(try phone.ask("getSetup")["trying"] == .null)
    }
}
