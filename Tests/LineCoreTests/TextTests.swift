import Base
import LineCore
import SIPCore
import Testing

@Suite("Text messages on the display")
struct TextTests {
    private func message(
        _ body: [UInt8], type: String? = "text/plain", number: Int = 0, extra: [(SIPHeaderName, String)] = [],
        from peer: Stranger = Stranger()
    ) -> [UInt8] {
        var request = peer.request(
            .message, sequence: UInt32(10 + number), branch: "z9hG4bK-m\(number)", extra: extra)
        request.headers[.callID] = "text-\(number)"
        request.headers[.contact] = nil
        request.headers[.contentType] = type
        request.body = body
        return request.bytes
    }

    private func outcome(
        _ body: [UInt8], type: String? = "text/plain", extra: [(SIPHeaderName, String)] = [],
        accepts: LineConfiguration.Accepts = .anyone
    ) -> ([Int], [String]) {
        var world = World()
        world.add(Calls.direct("alice", accepts: accepts))
        world.receive(message(body, type: type, extra: extra), from: Stranger())
        return (world.caughtStatuses, world.texts)
    }

    @Test(
        "plain text is shown without control characters",
        arguments: [
            ("Guten Tag, Büro", "Guten Tag, Büro"), ("two\r\nlines\r\n", "two\nlines"),
            ("\u{1B}[31mred\u{7}", "[31mred"),
            ("tab\there", "tab here"), ("\u{202E}evil", "evil"), ("\r\n \r\nmiddle\r\n\r\n", "middle"),
        ])
    func plainTextIsShownWithoutControlCharacters(_ body: String, _ text: String) {
        #expect(outcome(Array(body.utf8)) == ([200], [text]))
    }

    @Test("empty text is not shown", arguments: ["", "\r\n\r\n", " \u{7} "])
    func emptyTextIsNotShown(body: String) { #expect(outcome(Array(body.utf8)) == ([200], [])) }

    @Test(
        "other types are refused with the accepted ones",
        arguments: [
            ("text/html", 415), (nil, 415), ("application/im-iscomposing+xml", 415), ("text/plain;charset=latin1", 415),
            ("text/plain;charset=UTF-8", 200), ("TEXT/PLAIN", 200), ("message/cpim", 415),
        ] as [(String?, Int)])
    func otherTypesAreRefusedWithAcceptedOnes(_ type: String?, _ status: Int) {
        #expect(outcome(Array("hello".utf8), type: type).0 == [status])
    }

    @Test("text that is too long, broken, encoded or needs an extension is refused")
    func textThatIsTooLongBrokenEncodedOrNeedsExtensionIsRefused() {
        let longest = [UInt8](repeating: 0x41, count: LineMachine.textLimit)
        #expect(outcome(longest) == ([200], [String(decoding: longest, as: UTF8.self)]))
        #expect(outcome(longest + [0x41]) == ([413], []))
        #expect(outcome([0x41, 0xFF]) == ([400], []))
        let hello = Array("hello".utf8)
        #expect(outcome(hello, extra: [(SIPHeaderName("Content-Encoding"), "gzip")]) == ([415], []))
        #expect(outcome(hello, extra: [(.require, "foo")]) == ([420], []))
    }

    @Test("only the own server and listed peers may write to the display")
    func onlyOwnServerAndListedPeersMayWriteToDisplay() {
        let hello = Array("hello".utf8)
        // A refusal is no longer than what is refused.
        let long = [(SIPHeaderName.userAgent, String(repeating: "x", count: 200))]
        #expect(outcome(hello, extra: long, accepts: .ownServerOnly) == ([403], []))
        #expect(outcome(hello, extra: long, accepts: .listed(["203.0.113.8"])) == ([403], []))
        #expect(outcome(hello, accepts: .listed([Stranger().endpoint.host])) == ([200], ["hello"]))
        var world = World.registered()
        let server = Stranger(World.serverEndpoint)
        let identity = [(SIPHeaderName.pAssertedIdentity, "\"Anna\" <sip:+4930@x>")]
        world.receive(message(hello, extra: identity, from: server), from: server)
        #expect(world.texts == ["hello"])
        let sender = world.outputs(0).lazy.compactMap {
            if case .event(.text(let sender, _)) = $0 { sender } else { nil }
        }
        .first
        #expect(sender?.number == "+4930" && sender?.displayName == "Anna")
    }

    @Test("a flood of messages is cut to a slow rate")
    func floodOfMessagesIsCutToSlowRate() {
        var world = World()
        world.add(Calls.direct("alice"))
        for number in 0..<50 {
            world.carry(
                message(Array("\(number)".utf8), number: number), from: Stranger().endpoint, to: World.endpoint(0))
        }
        world.run(.milliseconds(500))
        #expect(world.texts.count == 10 && world.caughtStatuses.count { $0 == 503 } == 40)
        world.run(.seconds(4))
        for number in 50..<60 { world.receive(message([0x41], number: number), from: Stranger()) }
        #expect((12...13).contains(world.texts.count))
    }
}

extension World {
    fileprivate var texts: [String] {
        outputs(0).compactMap { if case .event(.text(_, let text)) = $0 { text } else { nil } }
    }
}
