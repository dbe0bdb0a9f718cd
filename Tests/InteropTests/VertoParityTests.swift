import Base
import Bench
import Control
import Foundation
import HostStalls
import JSON
import Rig
import Testing

/// Features of phones at FreeSWITCH's Verto dialect that phones at a SIP server have, too (`Tests/Servers/verto.py`).
@Suite(.serialized, .stallsForgiven, .enabled(if: VertoServer.isPossible, "needs aiortc (Scripts/webrtc)"))
struct VertoParityTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func server(_ dialect: String = "freeswitch") throws -> VertoServer {
        try VertoServer(folder: workplace.path + "/verto", dialect: dialect)
    }

    private func phone(_ user: String, _ server: VertoServer, port: UInt16, _ kind: String = "verto") throws -> RigPhone
    {
        let settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 10)
        return try RigPhone(
            verto: user, kind, at: "127.0.0.1:\(server.port)", name: "phone-\(user)",
            folder: try workplace.phoneFolder("phone-\(user)", settings), more: ["--transport", "ws"])
    }

    private func establish(_ alice: RigPhone, _ bob: RigPhone) throws {
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
    }

    @Test(.limit(minutesEachTime: 2)) func transferConnectsOtherEnds() throws {
        let server = try server()
        let alice = try phone("101", server, port: 28_200)
        let bob = try phone("102", server, port: 28_400)
        try establish(alice, bob)
        #expect(try alice.ask("getSnapshot")["calls"]?.array?.first?["canTransfer"] == true)
        try alice.ask("transfer", ["to": "sip:tone@127.0.0.1"])
        #expect(try alice.wait(for: "callEnded").fields["reason"] == "transferred")
        try bob.collect()
        #expect(bob.all("callEnded").isEmpty, "the server plays a tone to it now")
        // The new far end, and the data that a server forwards.
        try server.order(#"{"do": "display", "user": "102", "name": "Tone", "number": "5550144"}"#)
        let renamed = try bob.wait(for: "callDisplayUpdated") { $0.fields["summary"]?["number"] == "5550144" }
        #expect(renamed.fields["summary"]?["name"] == "Tone")
        try bob.ask("hangup")
        try bob.wait(for: "callEnded")
        #expect(try bob.ask("getHistory")["calls"]?.array?.first?["number"] == "5550144")
        #expect(server.events("fault").isEmpty)
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
    }

    @Test(.limit(minutesEachTime: 2)) func dialectWithoutTransferGetsNoRequest() throws {
        let server = try server("telnyx")
        let alice = try phone("101", server, port: 28_200, "telnyx")
        try alice.ask("dial", ["target": "sip:echo@127.0.0.1"])
        try alice.wait(for: "callAnswered")
        #expect(try alice.ask("getSnapshot")["calls"]?.array?.first?["canTransfer"] == false)
        let refused = try Command(["ctl", "transfer", "102", "--socket", alice.folder.socket], in: workplace)
        #expect(refused.failed || refused.output.contains("notSupported") || refused.output.contains("not configured"))
        #expect(!refused.output.contains("the far end rejected it"), "\(refused)")
        #expect(alice.process.stop().exit == .status(0))
    }

    /// A frame of more than 65,536 bytes is skipped, and the call continues. Messages are shown.
    @Test(.limit(minutesEachTime: 2)) func longFrameIsSkippedAndMessageIsShown() throws {
        let server = try server()
        let alice = try phone("101", server, port: 28_200)
        try alice.ask("dial", ["target": "sip:echo@127.0.0.1"])
        try alice.wait(for: "callAnswered")
        func info(_ body: String) -> String {
            let frame: JSONValue = [
                "jsonrpc": "2.0", "id": 77, "method": "verto.info",
                "params": ["msg": ["from": "1002@pbx.example", "to": "101@pbx.example", "body": .string(body)]],
            ]
            return (["do": "send-raw", "frame": .string(frame.text)] as JSONValue).text
        }
        try server.order(info(String(repeating: "x", count: 70_000)))
        try server.order(info("lunch?"))
        let text = try alice.wait(for: "textReceived")
        #expect(text.fields["text"] == "lunch?" && text.fields["from"] == "1002@pbx.example", "\(text.fields)")
        #expect(server.events("login").count == 1 && alice.all("callReconnecting").isEmpty)
        let counted = try alice.ask("getStatistics")["lines"]?.object?.values.first?["oversized"]
        #expect(counted == 1, "\(String(describing: counted))")
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        #expect(alice.process.stop().exit == .status(0))
    }

    /// The far end of a killed phone is not left in silence.
    @Test(.limit(minutesEachTime: 2)) func successorEndsCallOfKilledPhone() throws {
        let server = try server()
        let alice = try phone("101", server, port: 28_200)
        let bob = try phone("102", server, port: 28_400)
        try establish(alice, bob)
        MonotonicTime.sleep(.milliseconds(300))
        alice.process.signal(SIGKILL)
        #expect(alice.process.wait(upTo: .seconds(2)) == .signal(SIGKILL))
        let again = try RigPhone(name: "phone-101", folder: alice.folder, program: Workplace.phone)
        try again.waitUntilLine(is: ["registered"])
        try bob.wait(for: "callEnded", upTo: .seconds(10))
        #expect(server.events("bye").contains { $0["by"] == "client" && $0["cause"] == "NORMAL_UNSPECIFIED" })
        for phone in [again, bob] { #expect(phone.process.stop().exit == .status(0)) }
    }
}
