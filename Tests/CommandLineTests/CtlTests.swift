import Base
import Control
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

    @Test func whoAsksForJSONGetsIt() throws {
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
            ["token", "remove", "panel"], ["call", "setDoNotDisturb", "on=false"],
        ] {
            let answer = try Command(["ctl"] + words + ["--json", "--socket", phone.socket], in: phone.workplace)
            #expect(throws: Never.self, "\(words): \(answer)") { try JSONValue(parsing: answer.output) }
        }
        #expect(try phone.ctl("missed").output == "missed   none\n")
        let state = try phone.ctl("connection")
        #expect(state.exit == .status(state.output == "connected\n" ? 0 : 1), "\(state)")
    }

    @Test func aPhoneIsWatchedWithoutATerminal() throws {
        let phone = try RunningPhone(port: 26_984)
        defer { phone.stop() }
        let watch = try Command(
            program: ["timeout", "2", Workplace.phone, "ctl", "watch", "--socket", phone.socket], in: phone.workplace)
        #expect(watch.output.contains("handset on hook route handset\n"), "\(watch)")
        #expect(!watch.output.contains("\u{1B}"), "\(watch)")
    }

    @Test func aProgramWatchesByLinesOfJSON() throws {
        let phone = try RunningPhone(port: 26_992)
        defer { phone.stop() }
        let watch = try Command(
            program: ["timeout", "2", Workplace.phone, "ctl", "watch", "--json", "--socket", phone.socket],
            in: phone.workplace)
        let lines = watch.output.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines { #expect(try JSONValue(parsing: Array(line.utf8))["hook"] == "onHook", "\(line)") }
    }

    @Test func aPhoneThatIsNotThereIsNotWatched() throws {
        let watch = try Command(["ctl", "watch", "--socket", "/tmp/no-such-phone"], in: try Workplace())
        #expect(watch.exit == .status(1) && watch.output.contains("no phone answers"), "\(watch)")
    }

    @Test func aHeaderHasANameAndAValue() throws {
        let dial = try Command(["ctl", "dial", "200", "--header", "X-Ticket"], in: try Workplace())
        #expect(dial.exit != .status(0) && dial.output.contains("a header is written X-NAME=VALUE"), "\(dial)")
    }

    @Test func theProgramTellsItsVersion() throws {
        #expect(try Command(["--version"], in: try Workplace()).output == ProgramVersion.text + "\n")
    }
}
