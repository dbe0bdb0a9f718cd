import Testing
import Trace

@Suite("Message filters")
struct FilterTests {
    private let invite = Signals.signal(Signals.request("INVITE", callID: "7d3f@x"))
    private let ringing = Signals.signal(Signals.response("180 Ringing", to: "INVITE", callID: "7d3f@x"), isSent: false)
    private let options = Signals.signal(Signals.request("OPTIONS"), account: "home")

    @Test(
        "each filter works alone",
        arguments: [
            (SignalFilter(), [true, true, true]), (SignalFilter(callID: "7d3"), [true, true, false]),
            (SignalFilter(callID: "3f"), [false, false, false]), (SignalFilter(account: "home"), [false, false, true]),
            (SignalFilter(method: "invite"), [true, true, false]),
            (SignalFilter(method: "ACK"), [false, false, false]),
            (SignalFilter(peer: "192.0.2.100"), [true, true, true]),
            (SignalFilter(peer: "192.0.2.100:5060"), [true, true, true]),
            (SignalFilter(peer: "192.0.2.10"), [false, false, false]),
            (SignalFilter(account: "office", method: "OPTIONS"), [false, false, false]),
        ])
    func eachFilterWorksAlone(_ filter: SignalFilter, _ expected: [Bool]) {
        #expect([invite, ringing, options].map(filter.admits) == expected)
    }

    @Test(
        "text and digits are masked, signalling is not",
        arguments: [
            ("text/plain", true), ("application/dtmf-relay", true), ("multipart/mixed;boundary=x", true),
            ("Application/SDP", false), ("message/sipfrag;version=2.0", false),
        ])
    func textAndDigitsAreMaskedSignallingIsNot(_ type: String, _ isHidden: Bool) {
        let signal = Signals.signal(Signals.request("MESSAGE", type: type, body: "Signal=5\r\nDuration=1"))
        let shown = signal.withoutWords
        #expect(shown.message.count == signal.message.count)
        #expect((shown != signal) == isHidden)
        let text = String(decoding: shown.message, as: UTF8.self)
        #expect(text.hasSuffix(isHidden ? "\r\n\r\n********\r\n**********" : "Signal=5\r\nDuration=1"))
        #expect(text.hasPrefix("MESSAGE sip:200@pbx.example SIP/2.0\r\n"))
    }

    @Test("a message without a body, or without an end, is unchanged")
    func messageWithoutBodyOrWithoutEndIsUnchanged() {
        #expect(invite.withoutWords == invite)
        let whole = Signals.request("MESSAGE", type: "text/plain", body: "hello")
        let cut = Signals.signal(Array(whole.prefix(100)))
        #expect(cut.withoutWords == cut)
    }
}
