import Base
import LineCore
import SIPCore
import Testing

@Suite("Text messages, as a unit")
struct TextMessagesPartTests {
    private func message(_ text: String) throws -> SIPRequest {
        let dialog = Dialog.ID(callID: "text", localTag: "us", remoteTag: "server")
        return try PartBench.request(.message, in: dialog, sequence: 1, [(.contentType, "text/plain")], body: text)
    }

    @Test("messages are limited to a reading pace, and probes cost nothing")
    func messagesAreLimitedToReadingPaceAndProbesCostNothing() throws {
        var texts = TextMessages()
        let (text, empty) = (try message("hello"), try message(""))
        for _ in 0..<10 { #expect(try texts.receive(text, at: .zero) == "hello") }
        #expect { try texts.receive(text, at: .zero) } throws: {
            ($0 as? RequestRefusal)?.status == .serviceUnavailable
        }
        for _ in 0..<100 { #expect(try texts.receive(empty, at: .zero) == nil) }
        #expect(try texts.receive(text, at: .zero + .seconds(2)) == "hello")
    }
}
