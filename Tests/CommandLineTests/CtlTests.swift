import Base
import Control
import Foundation
import JSON
import Rig
import Testing

/// `offhook ctl` beside a running phone.
@Suite(.serialized) struct CtlTests {
    @Test func anyMethodCanBeCalled() throws {
        let phone = try RunningPhone(port: 26_980)
        defer { phone.stop() }
        let answer = try phone.ctl("call", "ping")
        #expect(answer.output == "{\"version\":\"\(ProgramVersion.text)\"}\n" && answer.exit == .status(0), "\(answer)")
        let set = try phone.ctl("call", "setVolume", "kind=ring", "level=3")
        #expect(set.output.isEmpty && set.exit == .status(0), "\(set)")
        let status = try phone.ctl("call", "getSnapshot")
        #expect(try JSONValue(parsing: status.output)["settings"]?["ringVolume"] == 3)
        let refused = try phone.ctl("call", "hold")
        #expect(refused.exit == .status(1) && refused.output.contains("noSuchCall"), "\(refused)")
        for words in [["call", "fly"], ["call", "hold", "x"], ["call", "hold", "x=1"], ["call", "setMute", "on=3"]] {
            let wrong = try Command(["ctl"] + words + ["--socket", phone.socket], in: phone.workplace)
            #expect(wrong.exit == .status(64), "\(words): \(wrong)")
        }
    }

    @Test func jsonOptionPrintsJSON() throws {
        let phone = try RunningPhone(port: 26_982)
        defer { phone.stop() }
        for words in [
            ["status"], ["missed", "list"], ["connection"], ["ping"], ["history"], ["contacts"], ["display"],
            ["metrics"],
            ["statistics"], ["dnd", "on"], ["volume", "ring", "3"], ["disconnect"],
            ["connect"], ["reconnect"], ["route", "handset"], ["missed", "clear"], ["lift"], ["press", "1"],
            ["replace"],
            ["contacts", "add", "200", "Anna", "--blocked"], ["contacts", "change", "200", "--new-number", "300"],
            ["contacts", "export"], ["contacts", "remove", "300"], ["token", "add", "panel"], ["token"],
            ["token", "remove", "panel"], ["account"],
            ["account", "add", "desk", "--user", "102", "--server", "127.0.0.1:9", "--no-register", "--no-password"],
            ["account", "change", "desk", "--new-label", "hall"], ["account", "remove", "hall"],
            ["call", "setDoNotDisturb", "on=false"],
        ] {
            let answer = try Command(["ctl"] + words + ["--json", "--socket", phone.socket], in: phone.workplace)
            #expect(throws: Never.self, "\(words): \(answer)") { try JSONValue(parsing: answer.output) }
        }
        #expect(try phone.ctl("missed").output == "missed   none\n")
        let state = try phone.ctl("connection")
        #expect(state.exit == .status(state.output == "connected\n" ? 0 : 1), "\(state)")
    }

    @Test func watchWorksWithoutTerminal() throws {
        let phone = try RunningPhone(port: 26_984)
        defer { phone.stop() }
        let watch = try Command(
            program: ["timeout", "2", Workplace.phone, "ctl", "watch", "--socket", phone.socket], in: phone.workplace)
        #expect(watch.output.contains("handset on hook route handset\n"), "\(watch)")
        #expect(!watch.output.contains("\u{1B}"), "\(watch)")
    }

    @Test func programWatchesJSONLines() throws {
        let phone = try RunningPhone(port: 26_992)
        defer { phone.stop() }
        let watch = try Command(
            program: ["timeout", "2", Workplace.phone, "ctl", "watch", "--json", "--socket", phone.socket],
            in: phone.workplace)
        let lines = watch.output.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines { #expect(try JSONValue(parsing: Array(line.utf8))["hook"] == "onHook", "\(line)") }
    }

    @Test func missingPhoneIsNotWatched() throws {
        let watch = try Command(["ctl", "watch", "--socket", "/tmp/no-such-phone"], in: try Workplace())
        #expect(watch.exit == .status(1) && watch.output.contains("no phone answers"), "\(watch)")
    }

    /// The option after it is not the mistake.
    @Test(
        arguments: [
            (["ctl", "statsu", "-c", "x.yaml"], "\"offhook ctl statsu\". Did you mean \"offhook ctl status\"?"),
            (["ctl", "contacts", "ad", "200", "Anna"], "Did you mean \"offhook ctl contacts add\"?"),
            (["docter"], "Did you mean \"offhook doctor\"?"),
            (["accounts", "list", "--config", "x"], "offhook account\"?"),
            (["ctl", "levitate", "--json"], "there is no command \"offhook ctl levitate\". \"offhook ctl --help\""),
        ])
    func unknownCommandIsNamed(words: [String], said: String) throws {
        let answer = try Command(words, in: try Workplace())
        #expect(answer.exit == .status(64) && answer.output.contains(said), "\(answer)")
        #expect(!answer.output.contains("Unknown option"), "\(answer)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can be another user")) func unauthorisedUserLearnsWhoMayAsk() throws {
        let phone = try RunningPhone(port: 26_996)
        defer { phone.stop() }
        // Others may go through the folder; the socket is the phone's own.
        let ask = """
            chmod o+x "$(dirname "$1")" && cd / && exec setpriv --reuid 65534 --clear-groups "$0" ctl ping --socket "$1"
            """
        let answer = try Command(program: ["sh", "-c", ask, Workplace.phone, phone.socket], in: phone.workplace)
        #expect(answer.failed && answer.output.contains("as root, or as user offhook"), "\(answer)")
    }

    @Test func contactNamesAndNumbersAreNotConfused() throws {
        let phone = try RunningPhone(port: 26_998)
        defer { phone.stop() }
        let swapped = try phone.ctl("contacts", "add", "Anna Müller", "+49 30 1234")
        #expect(swapped.exit == .status(1) && swapped.output.contains("give the number first"), "\(swapped)")
        let wrong = try phone.ctl("contacts", "add", "not a number", "Max")
        #expect(wrong.exit == .status(1) && wrong.output.contains("cannot be dialled"), "\(wrong)")
        #expect(try phone.ctl("contacts", "add", "+49 30 1234", "Anna Müller").exit == .status(0))
        #expect(try phone.ctl("contacts", "list", "--json").output.contains("\"+49301234\""))
        #expect(try phone.ctl("contacts", "remove", "+49 30 1234").exit == .status(0))
    }

    /// Commands copied from the page work as the page describes.
    @Test func pageCommandsWork() throws {
        let phone = try RunningPhone(port: 27_000)
        defer { phone.stop() }
        var commands: Set<String> = []
        for name in ["words", "setup-words"] {
            let text = try String(contentsOfFile: Workplace.root + "/Sources/CFrontPanel/\(name).js", encoding: .utf8)
            commands.formUnion(text.matches(of: /offhook ctl ([a-z\- ]+)/).map { String($0.1) })
        }
        #expect(commands == ["token add browser --scope call", "token add setup --scope configure"])
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            let answer = try Command(["ctl"] + words + ["--socket", phone.socket], in: phone.workplace)
            #expect(answer.exit == .status(0), "\(command): \(answer)")
        }
    }

    @Test func headerHasNameAndValue() throws {
        let dial = try Command(["ctl", "dial", "200", "--header", "X-Ticket"], in: try Workplace())
        #expect(dial.exit != .status(0) && dial.output.contains("--header: expected X-NAME=VALUE"), "\(dial)")
    }

    @Test func versionIsPrinted() throws {
        #expect(try Command(["--version"], in: try Workplace()).output == ProgramVersion.text + "\n")
    }
}
