import SDPCore
import Testing

@Suite("Extended reports, as RFC 3611 §5 has them agreed")
struct ReportWishTests {
    static func wishes(_ change: (inout ReportWishes) -> Void) -> ReportWishes {
        var wishes = ReportWishes()
        change(&wishes)
        return wishes
    }

    static let all = wishes { wishes in
        (wishes.roundTrip, wishes.voice) = (true, true)
        (wishes.loss, wishes.duplicates, wishes.jitter) = (true, true, true)
    }

    static let line = "m=audio 7000 RTP/SAVP 111\r\n" + Ends.opus + Ends.key

    @Test("each end says what it wants, and learns what the other wants")
    func bothWant() throws {
        var ends = Ends()
        let offer = ends.caller.offer(held: false, using: &ends.generator)
        let text = "a=rtcp-xr:rcvr-rtt=all voip-metrics\r\n"
        #expect(String(decoding: offer.bytes, as: UTF8.self).contains(text))
        let (answer, called) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains(text))
        let caller = try ends.caller.conclude(answer)
        let wanted = Self.wishes { ($0.roundTrip, $0.voice) = (true, true) }
        #expect(caller.reports == wanted && called.reports == wanted)
        // It stays so in what is offered later.
        let hold = ends.called.offer(held: true, using: &ends.generator)
        #expect(hold.media[0].values(of: "rtcp-xr").count == 1)
    }

    @Test("a far end that does not know them is told nothing of them")
    func unknownThere() throws {
        var ends = Ends()
        let (answer, agreed) = try ends.called.answer(
            to: Ends.description(Self.line), held: false, using: &ends.generator)
        #expect(agreed.reports == nil)
        #expect(answer.media[0].values(of: "rtcp-xr").isEmpty)
    }

    @Test(
        "what is asked is read, whatever stands beside it",
        arguments: [
            ("", ReportWishes()), ("pkt-loss-rle=40 pkt-rcpt-times", ReportWishes()),
            ("voip-metrics", wishes { $0.voice = true }), ("VoIP-Metrics", wishes { $0.voice = true }),
            ("rcvr-rtt=sender:8", wishes { $0.roundTrip = true }),
            ("stat-summary=loss", wishes { $0.loss = true }),
            ("stat-summary=TTL,jitt,dup", wishes { ($0.duplicates, $0.jitter) = (true, true) }),
            ("stat-summary", wishes { ($0.loss, $0.duplicates, $0.jitter) = (true, true, true) }),
            ("  x=y  rcvr-rtt=all  stat-summary=loss,dup,jitt,HL voip-metrics=", all),
        ])
    func whatIsAsked(formats: String, wishes: ReportWishes) throws {
        var ends = Ends()
        let offer = try Ends.description(Self.line + "a=rtcp-xr:\(formats)\r\n")
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(agreed.reports == wishes)
        #expect(answer.media[0].values(of: "rtcp-xr").count == 1)
    }

    @Test("the session may ask for all its lines, and a line for itself")
    func sessionAndLine() throws {
        var ends = Ends()
        var offer = try Ends.description(Self.line)
        offer.attributes.append(.init("rtcp-xr", "voip-metrics"))
        let bySession = try ends.called.answer(to: offer, held: false, using: &ends.generator).agreed
        #expect(bySession.reports == Self.wishes { $0.voice = true })
        offer.media[0].attributes.append(.init("rtcp-xr", "rcvr-rtt=all"))
        let byLine = try ends.called.answer(to: offer, held: false, using: &ends.generator).agreed
        #expect(byLine.reports == Self.wishes { $0.roundTrip = true })
    }
}
