import Base
import LineCore
import SIPCore
import Testing

@Suite("Events for the phone")
struct LineEventTests {
    private static let account = AccountID(3)

    /// A line's report of a request to a server at 192.0.2.100.
    private static func heard(_ request: String) -> [LineEvent] {
        var machine = LineMachine(
            configuration: LineConfiguration(
                account, user: "alice",
                account: LineConfiguration.Account(
                    domain: "pbx.example", server: NextHop(host: "192.0.2.100"), password: Redacted("x")),
                accepts: .anyone),
            makeGenerator: { SeededGenerator(seed: 1) },
            hashes: DigestHashes(md5: { $0 }, sha256: { $0 }, sha512256: { $0 }))
        let flow = Flow(
            .udp, local: Flow.Endpoint("192.0.2.1", 5060), remote: Flow.Endpoint("192.0.2.100", 5060))
        let text = request.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        var inputs: [LineInput] = [.start, .received(Array(text.utf8), flow)]
        var events: [LineEvent] = []
        while !inputs.isEmpty {
            for output in machine.handle(inputs.removeFirst(), at: .zero) {
                if case .locate(let hop, _) = output { inputs.insert(.located(hop, [flow]), at: 0) }
                if case .event(let event) = output { events.append(event) }
            }
        }
        return events
    }

    private static func request(_ method: String, _ headers: [String], _ body: String = "") -> String {
        let fixed = [
            "\(method) sip:alice@192.0.2.1 SIP/2.0", "Via: SIP/2.0/UDP 192.0.2.100;branch=z9hG4bK-1",
            "Max-Forwards: 70",
            "From: \"Ada\" <sip:5550100@pbx.example>;tag=a", "To: <sip:alice@pbx.example>", "Call-ID: one",
            "CSeq: 1 \(method)",
        ]
        return (fixed + headers + ["Content-Length: \(body.utf8.count)", "", body]).joined(separator: "\n")
    }

    @Test func messageHasSenderAndSafeText() throws {
        let events = Self.heard(Self.request("MESSAGE", ["Content-Type: text/plain"], "\u{1B}[2Jthe door"))
        let texts = events.compactMap { event -> (Caller, String)? in
            if case .text(let sender, let text) = event { (sender, text) } else { nil }
        }
        let (sender, text) = try #require(texts.first)
        #expect(sender.number == "5550100" && sender.displayName == "Ada" && sender.account == Self.account)
        #expect(text == "[2Jthe door")
    }

    @Test func callerHasAllFieldsOfServer() throws {
        let headers = [
            "Contact: <sip:192.0.2.100>", "Privacy: id",
            "P-Asserted-Identity: <sip:5550100;verstat=TN-Validation-Passed@pbx.example>",
            "Diversion: <sip:5550122@pbx.example>;reason=no-answer", "P-Called-Party-ID: <sip:5550133@pbx.example>",
            "X-Ticket: 4711", "X-Long: \(String(repeating: "x", count: 513))", "Subject: a visitor", "x-door: north",
        ]
        let callers = Self.heard(Self.request("INVITE", headers)).compactMap { event -> Caller? in
            if case .offered(CallID(.line(Self.account), 1), let caller) = event { caller } else { nil }
        }
        let caller = try #require(callers.first)
        #expect(caller.account == Self.account)
        #expect(caller.isWithheld && caller.number == "anonymous" && caller.displayName == nil)
        #expect(caller.divertedBy == "5550122" && caller.called == "5550133")
        #expect(caller.verification == .passed)
        #expect(caller.headers == [("X-Ticket", "4711"), ("x-door", "north")].compactMap { CallHeader($0, $1) })
    }
}
