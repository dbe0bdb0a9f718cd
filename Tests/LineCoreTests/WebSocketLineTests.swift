import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// RFC 7118, as a client: messages and trust over a WebSocket.
@Suite("A line over a WebSocket")
struct WebSocketLineTests {
    private static let both = [Flow.Transport.ws, .wss]
    private let leg = CallID(.phone, 1)

    private static func account(_ transport: Flow.Transport) -> LineConfiguration {
        Ground.account { $0.server = NextHop(host: "server.example", transport: transport) }
    }

    /// - Parameter contact: The Contact of the far end of calls.
    private static func ground(
        _ transport: Flow.Transport, contact: String = "<sip:bob@x.invalid;transport=ws>",
        _ more: [(SIPHeaderName, String)] = []
    ) -> Ground {
        Ground(account(transport), flows: [Ground.flow(transport)]) { request, _ in
            switch request.method {
            case .register: return Ground.accept(request, more)
            case .invite: return answer(request, contact)
            default: return request.response(.ok, tag: "far")
            }
        }
    }

    private static func answer(_ invite: SIPRequest, _ contact: String) -> SIPResponse {
        var response = invite.response(.ok, tag: "far")
        response.headers[.contact] = contact
        response.headers.set(.contentType, MediaType.sdp)
        response.body = Array(Stranger.answer.utf8)
        return response
    }

    private func isEstablished(_ ground: Ground) -> Bool {
        ground.outputs.contains { if case .event(.answered(leg, _)) = $0 { true } else { false } }
    }

    @Test("Via and Contact have one invalid host, and name the transport", arguments: both)
    func viaAndContactHaveOneInvalidHostAndNameTransport(transport: Flow.Transport) throws {
        var ground = Self.ground(transport, [(.require, "outbound")])
        ground.invite("555")
        let host = try #require(try ground.requests.first?.request.headers.topVia.host)
        #expect(host.hasSuffix(".invalid") && host.utf8.count == 24)
        for sent in ground.requests {
            let via = try sent.request.headers.topVia
            #expect(via.transport == (transport == .ws ? "WS" : "WSS") && via.host == host && via.port == nil)
            guard let contact = try sent.request.headers.contacts.first?.uri.sip else { continue }
            // A URI has one transport name for WebSockets, with TLS or without (RFC 7118 §5.2.2).
            #expect(contact.host == host && contact.port == nil && contact.transport == "ws")
            #expect(sent.request.method != .invite || contact.prefersItsFlow)
        }
        let register = try #require(ground.sent(.register).first?.request)
        #expect(try register.headers.tokens(.supported).contains("outbound"))
        #expect(try register.headers.contacts.first?.registrationID == 1)
        // Voice comes to the phone's address.
        let invite = try #require(ground.sent(.invite).first?.request)
        #expect(String(decoding: invite.body, as: UTF8.self).contains("IN IP4 192.0.2.1"))
        #expect(isEstablished(ground))
    }

    @Test("each WebSocket line draws a host name, other transports draw none")
    func eachWebSocketLineDrawsHostNameOtherTransportsDrawNone() throws {
        let hosts = try (1...3).map { seed in
            try Ground(Self.account(.ws), flows: [Ground.flow(.ws)], seed: UInt64(seed * 10)).requests.first?.request
                .headers.topVia.host
        }
        #expect(Set(hosts).count == 3)
        #expect(try Ground().requests.first?.request.headers.topVia.host == Ground.local.host)
    }

    @Test(
        "the server is the next hop, whatever address a far end names", arguments: both,
        ["<sip:bob@x.invalid;transport=ws>", "<sip:bob@203.0.113.9:5060>", "<sip:bob@203.0.113.9;transport=tls>"])
    func serverIsNextHopWhateverAddressFarEndNames(transport: Flow.Transport, contact: String) throws {
        var ground = Self.ground(transport, contact: contact)
        ground.invite("555")
        #expect(isEstablished(ground) && ground.sent(.ack).count == 1)
        ground.tell(.command(.hold(leg, true)))
        ground.tell(.command(.end(leg)))
        let bye = try #require(ground.sent(.bye).first)
        #expect(bye.request.uri.text == String(contact.dropFirst().dropLast()))
        #expect(ground.requests.allSatisfy { $0.flow == Ground.flow(transport) })
        #expect(Set(ground.located) == [NextHop(host: "server.example", transport: transport)])
        #expect(ground.ends == [.hungUpHere])
    }

    @Test("a message needs no Content-Length, as the WebSocket frames it", arguments: both)
    func messageNeedsNoContentLengthAsWebSocketFramesIt(transport: Flow.Transport) {
        var ground = Self.ground(transport)
        let invite = Stranger().invite()
        let text = String(decoding: invite.bytes, as: UTF8.self)
        let without = Array(text.replacing("Content-Length: \(invite.body.count)\r\n", with: "").utf8)
        #expect(without.count < text.utf8.count)
        ground.tell(.received(without, Ground.flow(transport)))
        #expect(ground.outputs.contains { if case .event(.offered) = $0 { true } else { false } })
        // A message that announces more than it has is not waited for.
        ground.tell(.received(Array(Stranger(callID: "cut").invite().bytes.dropLast(20)), Ground.flow(transport)))
        #expect(ground.responses.last?.response.status.code == 400)
        // The response takes the way of its request, whatever Via says.
        #expect(ground.responses.allSatisfy { $0.flow == Ground.flow(transport) })
    }

    @Test("messages are read whole, and CRLF is a keep-alive")
    func messagesAreReadWholeAndCRLFIsKeepAlive() {
        let message = Array("BYE sip:a SIP/2.0\r\nContent-Length: 900\r\n\r\nx".utf8)
        #expect(SIPStreamFramer.outputs(ofWhole: message) == [.message(message)])
        #expect(SIPStreamFramer.outputs(ofWhole: [0x0D, 0x0A]) == [.pong])
        #expect(SIPStreamFramer.outputs(ofWhole: [0x0D, 0x0A, 0x0D, 0x0A]) == [.pong, .ping])
        #expect(SIPStreamFramer.outputs(ofWhole: []).isEmpty)
    }

    @Test("a dead flow is detected within 20 s, whether or not the server promised answers", arguments: both)
    func deadFlowIsDetectedWithin20S(transport: Flow.Transport) {
        for promise in [[], [(.require, "outbound")]] as [[(SIPHeaderName, String)]] {
            var ground = Self.ground(transport, promise)
            ground.pong = { _ in [0x0D, 0x0A] }
            ground.run(.seconds(130))
            #expect(ground.keepAlives.count >= 10 && ground.abandoned.isEmpty)
            #expect(ground.keepAlives.allSatisfy { $0.bytes == SIPStreamFramer.keepAlive })
            ground.pong = { _ in nil }
            ground.run(.seconds(21))
            #expect(ground.abandoned == [Ground.flow(transport)] && ground.sent(.register).count == 2)
        }
    }

    @Test("silence means death from the start, as every server answers pings", arguments: both)
    func silenceMeansDeathFromStartAsEveryServerAnswersPings(transport: Flow.Transport) {
        var ground = Self.ground(transport)
        ground.run(.seconds(20))
        #expect(ground.abandoned == [Ground.flow(transport)])
    }

    // MARK: No fallback

    @Test("wss is never replaced, and a WebSocket replaces no other transport")
    func wssIsNeverReplacedAndWebSocketReplacesNoOtherTransport() {
        let all = [Flow.Transport.udp, .tcp, .tls, .ws, .wss]
        let may: [Flow.Transport: [Flow.Transport]] = [
            .udp: [.udp, .tcp, .tls], .tcp: [.tcp, .tls], .tls: [.tls], .ws: [.ws, .wss], .wss: [.wss],
        ]
        for usual in all { #expect(all.filter { $0.mayReplace(usual) } == may[usual]) }
        #expect(all.filter(\.isSecure) == [.tls, .wss] && all.filter(\.isReliable) == [.tcp, .tls, .ws, .wss])
    }

    @Test("a wss account never connects in clear", arguments: [Flow.Transport.ws, .udp, .tcp, .tls])
    func wssAccountNeverConnectsInClear(other: Flow.Transport) throws {
        let ground = Ground(Self.account(.wss), flows: [Ground.flow(other)])
        #expect(ground.requests.isEmpty)
        #expect(ground.registrations.last == .failed("the name service no longer offers WSS for the server"))
    }

    @Test("a WebSocket account is called over its WebSocket only", arguments: both)
    func webSocketAccountIsCalledOverItsWebSocketOnly(transport: Flow.Transport) {
        for other in [Flow.Transport.udp, .tcp] + (transport == .wss ? [.ws] : []) {
            var ground = Self.ground(transport)
            ground.tell(.received(Stranger().invite().bytes, Ground.flow(other)))
            #expect(!ground.outputs.contains { if case .event(.offered) = $0 { true } else { false } }, "\(other)")
            #expect(ground.responses.isEmpty)
        }
    }

    @Test("sips means TLS on the first hop, which wss provides")
    func sipsMeansTLSOnFirstHopWhichWssProvides() {
        var secure = Self.ground(.wss)
        secure.invite("sips:bob@far.example")
        #expect(isEstablished(secure))
        var clear = Self.ground(.ws)
        clear.invite("sips:bob@far.example")
        #expect(clear.ends == [.invalidTarget])
    }

    @Test("a WebSocket server is found by its addresses only, at HTTP ports")
    func webSocketServerIsFoundByItsAddressesOnlyAtHTTPPorts() {
        for (transport, port) in [(Flow.Transport.ws, UInt16(80)), (.wss, 443)] {
            var search = HopSearch(
                NextHop(host: "pbx.example", transport: transport), transports: [transport])
            var generator = SeededGenerator(seed: 1)
            #expect(search.question == .addresses("pbx.example"))
            search.receive(.addresses(["192.0.2.7", "2001:db8::7"]), using: &generator)
            #expect(search.question == nil)
            #expect(
                search.targets == [
                    .init(transport, .init("192.0.2.7", port)), .init(transport, .init("2001:db8::7", port)),
                ])
            // Another line has no path there.
            let other = HopSearch(
                NextHop(host: "192.0.2.7", transport: transport), transports: [.udp, .tcp, .tls])
            #expect(other.targets.isEmpty && other.question == nil)
        }
    }
}
