import Base
import LineCore
import SIPCore
import Testing

@Suite("Waiting messages")
struct NoticeTests {
    private let server = Stranger(World.serverEndpoint)
    private static let type = "application/simple-message-summary"

    private func notify(
        _ body: String, event: String? = "message-summary", type: String = NoticeTests.type, sequence: UInt32 = 10,
        toTag: String? = nil, callID: String = "mwi", from peer: Flow.Endpoint = World.serverEndpoint
    ) -> SIPRequest {
        var request = Stranger(peer, callID: callID).request(
            .notify, sequence: sequence, branch: "z9hG4bK-\(callID)-\(sequence)", toTag: toTag, body: body,
            extra: [(.contentType, type)])
        request.headers[.event] = event
        return request
    }

    /// The line's response to a NOTIFY, and its report.
    private func outcome(_ request: SIPRequest, from peer: Flow.Endpoint = World.serverEndpoint) -> (Int?, [Int]) {
        var world = World.registered()
        world.receive(request.bytes, from: Stranger(peer))
        let statuses = peer == World.serverEndpoint ? world.answersToServer : world.caughtStatuses
        return (statuses.last, world.waiting)
    }

    @Test(
        "new voice messages are counted",
        arguments: [
            ("Messages-Waiting: yes\r\nVoice-Message: 2/8 (0/2)\r\n", 2), ("Messages-Waiting: yes\r\n", 1),
            ("Messages-Waiting: no\r\n", 0), ("messages-waiting:YES\nvoice-message:3/0\n", 3),
            ("Messages-Waiting: yes\r\nMessage-Account: sip:a@b\r\nFax-Message: 9/9\r\nVoice-Message: 1/0\r\n", 1),
            ("Messages-Waiting: yes\r\nVoice-Message: 0/8\r\n", 0),
            ("Messages-Waiting: no\r\nVoice-Message: 0/8 (0/0)\r\n", 0),
            ("Messages-Waiting: yes\r\nVoice-Message: 4/1\r\n\r\nTo: <sip:a@b>\r\nSubject x\r\n", 4),
            ("Messages-Waiting: yes\r\nVoice-Message: 4294967295/0\r\n", 4_294_967_295),
            ("Messages-Waiting: yes\r\nVoice-Message: 8\r\n", 8),
            ("Voice-Message: 1/0\r\nMessages-Waiting: yes\r\n", 1),
            ("Voice-Message: 2/8\r\n", 2), ("Messages-Waiting: yes\r\nVoice-Message: x/0\r\n", 1),
            ("Messages-Waiting: yes\r\nVoice-Message: 1/0\r\nVoice-Message: 2/0\r\n", 1),
            ("Messages-Waiting: yes\r\nrubbish\r\nVoice-Message: 3/0\r\n", 3),
            ("Messages-Waiting: yes\r\nVoice-Message: 4294967296/0\r\n", 1),
        ])
    func newVoiceMessagesAreCounted(_ body: String, _ count: Int) {
        #expect(outcome(notify(body)) == (200, [count]))
        // In the dialog of a subscription that we do not know.
        #expect(outcome(notify(body, toTag: "old")) == (200, [count]))
    }

    @Test(
        "an invalid summary is refused and not reported",
        arguments: [
            "hello", "Messages-Waiting: maybe\r\n", ":\r\n", "Voice-Message: -1/0\r\n", "Voice-Message: 1/2/3\r\n",
            "Voice-Message: 4294967296/0\r\n", "Voice-Message: /\r\n", "Voice-Message: \r\n", "Messages-Waiting\r\n",
            "Fax-Message: 1/0\r\n",
        ])
    func invalidSummaryIsRefusedAndNotReported(body: String) { #expect(outcome(notify(body)) == (400, [])) }

    @Test("other events, other bodies and empty ones are handled")
    func otherEventsOtherBodiesAndEmptyOnesAreHandled() {
        let body = "Messages-Waiting: yes\r\n"
        #expect(outcome(notify(body, event: "presence")) == (489, []))
        #expect(outcome(notify(body, event: nil)) == (400, []))
        #expect(outcome(notify(body, event: "message-summary;id=7")) == (200, [1]))
        #expect(outcome(notify(body, type: "text/plain")) == (200, [1]))
        #expect(outcome(notify(body, type: "application/xml")) == (415, []))
        #expect(outcome(notify("")) == (200, []))
    }

    @Test("481 ends a subscription that an earlier process left at the server")
    func oldSubscription() {
        for event in ["dialog", "presence", "refer;id=7"] {
            #expect(outcome(notify("<x/>", event: event, type: "application/xml", toTag: "old")) == (481, []))
        }
        #expect(outcome(notify("", event: nil, toTag: "old")) == (481, []))
        #expect(outcome(notify("", event: "dialog")) == (489, []), "outside of a dialog there is nothing to end")
    }

    @Test("a stranger lights no lamp")
    func strangerLightsNoLamp() {
        let stranger = Stranger().endpoint
        let body = "Messages-Waiting: yes\r\n"
        #expect(outcome(notify(body, from: stranger), from: stranger) == (403, []))
        #expect(outcome(notify(body, toTag: "x", from: stranger), from: stranger) == (403, []))
        var direct = World()
        direct.add(Calls.direct("alice"))
        direct.receive(notify(body, from: stranger).bytes, from: Stranger())
        #expect(direct.caughtStatuses == [403] && direct.waiting.isEmpty)
    }

    @Test("an overtaken or repeated NOTIFY is ignored")
    func overtakenOrRepeatedNOTIFYIsIgnored() {
        var world = World.registered()
        func tell(_ count: Int, _ sequence: UInt32, _ callID: String = "mwi") {
            let request = notify(
                "Messages-Waiting: yes\r\nVoice-Message: \(count)/0\r\n", sequence: sequence, callID: callID)
            world.receive(request.bytes, from: server)
        }
        tell(1, 10)
        tell(3, 12)
        tell(2, 11)
        tell(3, 12)
        tell(4, 13)
        tell(0, 1, "another")
        #expect(world.waiting == [1, 3, 4, 0])
        #expect(world.answersToServer.suffix(6) == [200, 200, 500, 200, 200, 200])
    }

    @Test("every damaged NOTIFY is answered, and reports at most a number", arguments: 0..<10)
    func everyDamagedNOTIFYIsAnsweredAndReportsAtMostNumber(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var world = World.registered()
        for number in 0..<200 {
            var bytes = notify("Messages-Waiting: yes\r\nVoice-Message: 2/8 (0/2)\r\n", callID: "d\(number)").bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            world.receive(bytes, from: server)
        }
        #expect(world.waiting.allSatisfy { $0 >= 0 })
        world.receive(notify("Messages-Waiting: yes\r\nVoice-Message: 7/0\r\n").bytes, from: server)
        #expect(world.waiting.last == 7)
    }
}

extension World {
    fileprivate var waiting: [Int] {
        outputs(0).compactMap { if case .event(.messagesWaiting(_, let count)) = $0 { count } else { nil } }
    }

    /// The statuses that the server got.
    fileprivate var answersToServer: [Int] {
        heard.compactMap { bytes in
            guard case .response(let response)? = try? SIPMessage(bytes.span) else { return nil }
            return response.status.code
        }
    }
}
