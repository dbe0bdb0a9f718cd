import Base
import LineCore
import SIPCore
import Testing

@Suite("Dropped messages of known senders are reported")
struct DroppedMessageTests {
    private func told(_ ground: Ground) -> [String] {
        ground.outputs.compactMap { output in
            if case .turnedAway(let method, let flow, let why) = output { why.text(method, from: flow) } else { nil }
        }
    }

    @Test(
        "a dropped response is reported with its reason",
        arguments: [
            ("CSeq", "x REGISTER", "its CSeq cannot be read"), ("To", "nobody", "its To cannot be read"),
            ("Call-ID", nil, "it has no Call-ID"), ("From", nil, "it has no From"),
            ("Via", "SIP/2.0/UDP a;branch=1, SIP/2.0/UDP b;branch=2", "more than one Via"),
        ] as [(String, String?, String)])
    func droppedResponseIsReportedWithItsReason(name: String, value: String?, words: String) {
        var isOdd = false
        var ground = Ground(Ground.account { $0.expires = 60 }, flows: [Ground.flow(.tcp)]) { request, _ in
            var response = Ground.accept(request)
            if isOdd { response.headers[SIPHeaderName(name)] = value }
            return response
        }
        isOdd = true
        ground.run(.seconds(50))
        #expect(told(ground).count == 1 && told(ground)[0].contains(words), "\(told(ground))")
        #expect(told(ground)[0].contains("192.0.2.100"))
    }

    @Test("only the first of many drops are reported, and none of a stranger's")
    func onlyFirstOfManyDropsAreReportedAndNoneOfStranger() {
        var ground = Ground(flows: [Ground.flow(.udp)])
        let rubbish = Array("SIP/2.0 200 OK\r\nVia: x\r\n\r\n".utf8)
        for _ in 0..<100 { ground.tell(.received(rubbish, Ground.flow(.udp, 66))) }
        #expect(told(ground).isEmpty)
        for _ in 0..<100 { ground.tell(.received(rubbish, Ground.flow(.udp))) }
        #expect((1...5).contains(told(ground).count))
    }

    @Test("a response from a port that got no request is reported and dropped")
    func responseFromPortThatGotNoRequestIsReportedAndDropped() {
        var ground = Ground(flows: [Ground.flow(.udp)]) { _, _ in nil }
        guard let register = ground.sent(.register).first else { return }
        let other = Flow(.udp, local: Ground.local, remote: .init("192.0.2.100", 5_070))
        ground.tell(.received(Ground.accept(register.request).bytes, other))
        #expect(ground.registrations == [.registering])
        #expect(told(ground).count == 1 && told(ground)[0].contains("another address"))
    }
}
