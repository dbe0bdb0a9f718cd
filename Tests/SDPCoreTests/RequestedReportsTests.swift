import SDPCore
import Testing

@Suite("Agreement on extended reports (RFC 3611 §5)")
struct RequestedReportsTests {
    static func requested(_ change: (inout NegotiatedMedia.Reports) -> Void) -> NegotiatedMedia.Reports {
        var requested = NegotiatedMedia.Reports()
        change(&requested)
        return requested
    }

    static let all = requested { requested in
        (requested.roundTrip, requested.voice) = (true, true)
        (requested.loss, requested.duplicates, requested.jitter) = (true, true, true)
    }

    static let line = "m=audio 7000 RTP/SAVP 111\r\n" + Ends.opus + Ends.key

    @Test("each end states its wishes and learns the other's")
    func eachEndStatesItsWishesAndLearnsOther() throws {
        var ends = Ends()
        let offer = ends.caller.offer(held: false, using: &ends.generator)
        let text = "a=rtcp-xr:rcvr-rtt=all voip-metrics\r\n"
        #expect(String(decoding: offer.bytes, as: UTF8.self).contains(text))
        let (answer, called) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains(text))
        let caller = try ends.caller.conclude(answer)
        let wanted = Self.requested { ($0.roundTrip, $0.voice) = (true, true) }
        #expect(caller.media.reports == wanted && called.media.reports == wanted)
        // Later offers keep it.
        let hold = ends.called.offer(held: true, using: &ends.generator)
        #expect(hold.media[0].values(of: "rtcp-xr").count == 1)
    }

    @Test("a far end without support gets no extended reports")
    func farEndWithoutSupportGetsNoExtendedReports() throws {
        var ends = Ends()
        let (answer, agreed) = try ends.called.answer(
            to: Ends.description(Self.line), held: false, using: &ends.generator)
        #expect(agreed.media.reports == nil)
        #expect(answer.media[0].values(of: "rtcp-xr").isEmpty)
    }

    @Test(
        "requested reports are read, whatever is beside them",
        arguments: [
            ("", NegotiatedMedia.Reports()), ("pkt-loss-rle=40 pkt-rcpt-times", NegotiatedMedia.Reports()),
            ("voip-metrics", requested { $0.voice = true }), ("VoIP-Metrics", requested { $0.voice = true }),
            ("rcvr-rtt=sender:8", requested { $0.roundTrip = true }),
            ("stat-summary=loss", requested { $0.loss = true }),
            ("stat-summary=dup", requested { $0.duplicates = true }),
            ("stat-summary=jitt", requested { $0.jitter = true }),
            ("stat-summary=TTL,jitt,dup", requested { ($0.duplicates, $0.jitter) = (true, true) }),
            ("stat-summary", requested { ($0.loss, $0.duplicates, $0.jitter) = (true, true, true) }),
            ("  x=y  rcvr-rtt=all  stat-summary=loss,dup,jitt,HL voip-metrics=", all),
        ])
    func requestedReportsAreReadWhateverIsBesideThem(formats: String, requested: NegotiatedMedia.Reports) throws {
        var ends = Ends()
        let offer = try Ends.description(Self.line + "a=rtcp-xr:\(formats)\r\n")
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(agreed.media.reports == requested)
        #expect(answer.media[0].values(of: "rtcp-xr").count == 1)
    }

    @Test("the session may request reports for all lines, and a line for itself")
    func sessionMayRequestReportsForAllLinesAndLineForItself() throws {
        var ends = Ends()
        var offer = try Ends.description(Self.line)
        offer.attributes.append(.init("rtcp-xr", "voip-metrics"))
        let bySession = try ends.called.answer(to: offer, held: false, using: &ends.generator).agreed
        #expect(bySession.media.reports == Self.requested { $0.voice = true })
        offer.media[0].attributes.append(.init("rtcp-xr", "rcvr-rtt=all"))
        let byLine = try ends.called.answer(to: offer, held: false, using: &ends.generator).agreed
        #expect(byLine.media.reports == Self.requested { $0.roundTrip = true })
    }
}
