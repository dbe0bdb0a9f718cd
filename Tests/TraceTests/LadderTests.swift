import Base
import Testing
import Trace

@Suite("Ladders")
struct LadderTests {
    private static let other = TracedSignal.End("198.51.100.7", 5_070)

    private func draw(_ signals: [TracedSignal], bodies: Bool = false) -> [String] {
        var ladder = Ladder(showsBodies: bodies)
        return signals.flatMap { ladder.lines(for: $0) }
    }

    @Test("a call at the server is shown with time, arrows, CSeq and target")
    func callAtServerIsShownWithTimeArrowsCSeqAndTarget() {
        let offer = Signals.request("INVITE", type: "application/sdp", body: "v=0\r\n")
        let ringing = Signals.response("180 Ringing", to: "INVITE")
        let lines = draw([
            Signals.signal(offer, at: 43_201_123_000), Signals.signal(ringing, isSent: false, at: 43_201_200_999),
        ])
        let target = "1 INVITE  sip:200@pbx.example  application/sdp 5 bytes"
        #expect(
            lines == [
                "call 1 · call-a · office",
                "                phone                192.0.2.100:5060 udp",
                "  12:00:01.123  │ ───────── INVITE ──────────▶ │   \(target)",
                "  12:00:01.200  │ ◀─────── 180 Ringing ─────── │   1 INVITE",
            ])
    }

    @Test("a second far end gets a column, and its arrows pass the first one")
    func secondFarEndGetsColumnAndItsArrowsPassFirstOne() {
        let lines = draw([
            Signals.signal(Signals.request("INVITE")),
            Signals.signal(Signals.request("BYE", sequence: 2), isSent: false, remote: Self.other, transport: "tcp"),
            Signals.signal(Signals.request("ACK")),
        ])
        #expect(lines.count == 6)
        #expect(lines[3].hasSuffix("198.51.100.7:5070 tcp") && lines[3].contains("192.0.2.100:5060 udp"))
        #expect(lines[4].hasPrefix("  00:00:00.000  │ ◀────") && lines[4].contains("─ BYE ─"))
        let posts = lines[4...5].map { line in line.indices.filter { line[$0] == "│" } }
        #expect(posts[0].count == 2 && posts[1].count == 3)
        let places = zip(lines[4...5], posts).map { line, posts in
            posts.map { line.distance(from: line.startIndex, to: $0) }
        }
        #expect(places[0].first == places[1].first && places[0].last == places[1].last)
    }

    @Test("calls are separated, keep their numbers, and can be read one by one")
    func callsAreSeparatedKeepTheirNumbersAndCanBeReadOneByOne() {
        let signals = [("INVITE", "a"), ("INVITE", "b"), ("BYE", "a"), ("BYE", "b")].map { method, call in
            Signals.signal(Signals.request(method, callID: call))
        }
        func headings(_ signals: [TracedSignal]) -> [String] { draw(signals).filter { $0.hasPrefix("call ") } }
        let (a, b) = ("call 1 · a · office", "call 2 · b · office")
        #expect(headings(signals) == [a, b, a, b])
        #expect(headings(Ladder.byCall(signals)) == [a, b])
        #expect(Ladder.byCall(signals).map(\.message) == [0, 2, 1, 3].map { signals[$0].message })
    }

    @Test("thousands of calls and far ends take bounded memory, and numbers continue")
    func thousandsOfCallsAndFarEndsTakeBoundedMemory() {
        var ladder = Ladder(showsBodies: false)
        var last: [String] = []
        for number in 0..<2_000 {
            let remote = TracedSignal.End("192.0.2.\(number % 250)", 5_060)
            last = ladder.lines(for: Signals.signal(Signals.request("INVITE", callID: "c\(number)"), remote: remote))
        }
        #expect(last[1] == "call 2000 · c1999 · office")
        #expect(last.last?.filter { $0 == "│" }.count == 2)
    }

    @Test("bodies are shown on request, line by line")
    func bodiesAreShownOnRequestLineByLine() {
        let text = Signals.signal(Signals.request("MESSAGE", type: "text/plain", body: "hello\r\nworld\r\n"))
        #expect(draw([text], bodies: true).suffix(2) == ["      hello", "      world"])
        #expect(!draw([text]).contains { $0.contains("hello") })
    }

    @Test("no message content commands a terminal", arguments: 0..<8)
    func noMessageContentCommandsTerminal(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ladder = Ladder(showsBodies: true)
        let wild: [UInt8] = [0x1B, 0x07, 0x00, 0x9B, 0xC2, 0xE2, 0x80, 0xAE, 0x0A]
        var found = 0
        for _ in 0..<400 {
            var message = Signals.request("INVITE", type: "text/plain", body: "a\u{1B}[2J\u{7}\u{202E}b\u{9B}c")
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                message[Int.random(in: 0..<message.count, using: &generator)] =
                    wild.randomElement(using: &generator) ?? 0
            }
            for line in ladder.lines(for: Signals.signal(message, account: "a\u{1B}]0;x\u{7}")) {
                found += line.unicodeScalars.count { scalar in
                    let category = scalar.properties.generalCategory
                    return [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
                }
            }
        }
        #expect(found == 0)
    }

    @Test("data that is no message is shown as such")
    func dataThatIsNoMessageIsShownAsSuch() {
        let line = draw([Signals.signal(Array("GARBAGE \u{1B}[31m\r\nmore".utf8))]).last
        #expect(line?.contains(" ? GARBAGE \u{FFFD}[31m ") == true)
    }
}
