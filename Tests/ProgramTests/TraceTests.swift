import Base
import Bench
import Foundation
import Rig
import HostStalls
import Testing

/// `offhook trace` on running phones.
@Suite(.serialized, .stallsForgiven) struct TraceTests {
    private func trace(_ phone: RigPhone, in workplace: Workplace, _ words: String...) throws -> Command {
        try Command(["trace", "--no-follow", "--socket", phone.folder.socket] + words, in: workplace)
    }

    private func hold(aCallBetween pair: PhonePair) throws {
        try pair.establish()
        try pair.alice.ask("hangup")
        try pair.bob.wait(for: "callEnded")
        try pair.alice.wait(for: "callEnded")
    }

    @Test(.limit(minutesEachTime: 2)) func callIsShownWithoutSecrets() throws {
        let pair = try PhonePair()
        try hold(aCallBetween: pair)
        let ladder = try trace(pair.alice, in: pair.workplace)
        #expect(ladder.exit == .status(0), "\(ladder)")
        for word in [
            "call 1 · ", "127.0.0.1:26070 udp", " INVITE ─", "▶ │", "│ ◀", " 180 Ringing ", " 200 OK ", " BYE ─",
        ] {
            #expect(ladder.output.contains(word), "\(word): \(ladder.output)")
        }
        #expect(!ladder.output.contains("inline:"))
        let bodies = try trace(pair.bob, in: pair.workplace, "--bodies").output
        #expect(bodies.contains("inline:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"), "\(bodies)")
        let byes = try trace(pair.alice, in: pair.workplace, "--method", "bye", "--account", "desk").output
        #expect(byes.split(separator: "\n").count { $0.contains("▶ │") || $0.contains("│ ◀") } == 2, "\(byes)")
        for none in [["--account", "nobody"], ["--peer", "192.0.2.1"], ["--call", "no such call"]] {
            let words = ["trace", "--no-follow", "--socket", pair.alice.folder.socket] + none
            let nothing = try Command(words, in: pair.workplace)
            #expect(nothing.output.isEmpty && nothing.exit == .status(0), "\(none): \(nothing)")
        }
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func messagesAreShownWhenTheyArrive() throws {
        let pair = try PhonePair()
        let log = pair.workplace.path + "/live"
        let live = try ChildProcess([Workplace.phone, "trace", "--socket", pair.alice.folder.socket], log: log)
        try hold(aCallBetween: pair)
        // Two arrows of the BYE: the last of the call.
        let end = MonotonicTime.now + .seconds(10)
        var shown = ""
        while MonotonicTime.now < end, !shown.contains(" BYE\n") {
            shown = try String(contentsOfFile: log, encoding: .utf8)
            MonotonicTime.sleep(.milliseconds(20))
        }
        #expect(shown.contains(" INVITE ─") && shown.contains(" BYE\n"), "\(shown)")
        #expect(pair.alice.process.stop().exit == .status(0))
        // The phone has stopped, and the command reports it.
        #expect(live.wait(upTo: .seconds(10)) == .status(1))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func captureIsReadableByOwnerOnly() throws {
        let pair = try PhonePair()
        let file = try capture(aCallBetween: pair)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(bytes.prefix(4) == [0xD4, 0xC3, 0xB2, 0xA1] && bytes.count > 2_000)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test(.enabled(if: isInstalled("tshark"), "needs tshark (Scripts/setup test)"), .limit(minutesEachTime: 2))
    func tsharkReadsCapture() throws {
        let pair = try PhonePair()
        let file = try capture(aCallBetween: pair)
        let fields = ["sip.Method", "sip.Status-Code", "sip.CSeq.method", "_ws.expert.message", "ip.checksum.status"]
        let rows = try said(
            by: ["tshark", "-r", file, "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-T", "fields"]
                + ["-E", "separator=;"] + fields.flatMap { ["-e", $0] } + ["-e", "udp.checksum.status"], in: pair
        ).split(separator: "\n").filter { $0.contains(";") }
        // 1 is "good" of both checksums.
        #expect(rows.first?.hasPrefix("INVITE;;INVITE;") == true && rows.allSatisfy { $0.hasSuffix(";1;1") }, "\(rows)")
        for row in [";200;INVITE;", "BYE;;BYE;"] { #expect(rows.contains { $0.hasPrefix(row) }, "\(row): \(rows)") }
        #expect(!rows.contains { $0.lowercased().contains("malformed") }, "\(rows)")
    }

    /// sngrep skips messages beyond 10,240 bytes in any capture; those of a call are far from it.
    @Test(.enabled(if: isInstalled("sngrep"), "needs sngrep (Scripts/setup test)"), .limit(minutesEachTime: 2))
    func sngrepReadsCapture() throws {
        let pair = try PhonePair()
        let file = try capture(aCallBetween: pair)
        // No configuration of a person, no screen; only dialogs that begin with an INVITE.
        let reading = ["sngrep", "-F", "-N", "-c", "-I", file]
        let count = try said(by: reading, in: pair)
        #expect(count.hasSuffix("Dialog count: 1\n"), "\(count)")
        // The file that it writes has every message that it understood.
        let again = pair.workplace.path + "/again.pcap"
        _ = try said(by: reading + ["-q", "-O", again], in: pair)
        let (written, read) = try (Data(contentsOf: .init(filePath: file)), Data(contentsOf: .init(filePath: again)))
        #expect(written == read, "sngrep took \(read.count) bytes of \(written.count)")
    }

    // MARK: Captures

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
    }

    /// The capture of a whole call; the phones have ended.
    private func capture(aCallBetween pair: PhonePair) throws -> String {
        try hold(aCallBetween: pair)
        let file = pair.workplace.path + "/call.pcap"
        #expect(try trace(pair.alice, in: pair.workplace, "--pcap", file).exit == .status(0))
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
        return file
    }

    /// The output of a program that reads a capture.
    private func said(by words: [String], in pair: PhonePair) throws -> String {
        let log = "\(pair.workplace.path)/\(words[0])-\(UUID().uuidString)"
        let reading = try ChildProcess(words, log: log)
        #expect(reading.wait(upTo: .seconds(60)) == .status(0))
        return try String(contentsOfFile: log, encoding: .utf8)
    }
}
