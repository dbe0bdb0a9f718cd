import Lines
import Testing

/// RFC 6455 §4.1.
@Suite("WebSocket handshake")
struct WebSocketHandshakeTests {
    private static let offer = WebSocketOffer(path: "/sip?a=1", subprotocol: "sip")
    /// The nonce of the example in RFC 6455 §1.3.
    private static let nonce = Array("the sample nonce".utf8)
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    private func answer(_ bytes: [UInt8], offer: WebSocketOffer = offer) throws(WebSocketFault) -> [UInt8]? {
        var handshake = WebSocketHandshake(offer, authority: "pbx.example:8080", nonce: Self.nonce)
        return try handshake.receive(bytes)
    }

    @Test("the request has the headers of RFC 6455, and no others")
    func requestHasHeadersOfRFC6455AndNoOthers() {
        let request = WebSocketHandshake(Self.offer, authority: "pbx.example:8080", nonce: Self.nonce).request
        #expect(
            String(decoding: request, as: UTF8.self) == """
                GET /sip?a=1 HTTP/1.1\r
                Host: pbx.example:8080\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: sip\r
                \r

                """)
        let plain = WebSocketHandshake(
            .init(subprotocol: nil), authority: "pbx.example", nonce: Self.nonce
        ).request
        #expect(!String(decoding: plain, as: UTF8.self).contains("Protocol"))
        #expect(plain.starts(with: Array("GET / HTTP/1.1\r\nHost: pbx.example\r\n".utf8)))
    }

    @Test("a query string is kept if a request can hold it")
    func queryStringIsKeptIfRequestCanHoldIt() {
        let plain = WebSocketOffer(subprotocol: nil)
        #expect(plain.resource == "/" && plain.asking("a=1").resource == "/?a=1")
        #expect(Self.offer.asking("b=2").resource == "/sip?a=1&b=2")
        #expect(plain.asking("a=1").asking("").resource == "/")
        for query in ["a b", "a\r\nX-Evil: 1", "a#b", "é", "\u{7F}", String(repeating: "x", count: 2_049)] {
            #expect(plain.asking("a=1").asking(query).resource == "/", "\(query.prefix(20))")
        }
        let request = WebSocketHandshake(plain.asking("voice_sdk_id=x%20y"), authority: "x", nonce: Self.nonce).request
        #expect(request.starts(with: Array("GET /?voice_sdk_id=x%20y HTTP/1.1\r\n".utf8)))
    }

    @Test("the response of RFC 6455 §1.3 is accepted, wherever the network split it, and later bytes are kept")
    func responseOfRFC645513IsAcceptedWhereverNetworkSplitIt() throws {
        #expect(WebSocketBytes.accept(Self.key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let bytes = WebSocketBytes.answer(Self.key) + [0x81, 0x00]
        #expect(try answer(bytes) == [0x81, 0x00])
        for cut in 1..<bytes.count - 2 {
            var handshake = WebSocketHandshake(Self.offer, authority: "x", nonce: Self.nonce)
            #expect(try handshake.receive(Array(bytes[..<cut])) == nil)
            #expect(try handshake.receive(Array(bytes[cut...])) == [0x81, 0x00])
        }
        let plain = WebSocketOffer(subprotocol: nil)
        #expect(try answer(WebSocketBytes.answer(Self.key, protocols: []), offer: plain) == [])
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let fault: WebSocketFault

        init(_ name: String, _ bytes: [UInt8], _ fault: WebSocketFault) {
            (testDescription, self.bytes, self.fault) = (name, bytes, fault)
        }
    }

    static let cases = [
        Case("no HTTP", Array("SIP/2.0 400 Bad Request\r\n\r\n".utf8), .notHTTP),
        Case("garbage, not even a line", Array(repeating: 0x80, count: 3), .notHTTP),
        Case("HTTP of another age", Array("HTTP/1.0 101 Hi\r\n\r\n".utf8), .notHTTP),
        Case("a status that is none", Array("HTTP/1.1 1OO Hi\r\n\r\n".utf8), .notHTTP),
        Case("no status", Array("HTTP/1.1 \r\n\r\n".utf8), .notHTTP),
        Case("not there", Array("HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nNo".utf8), .refused(404, "Not Found")),
        Case("elsewhere", Array("HTTP/1.1 302 \u{1B}[2JFound\r\n\r\n".utf8), .refused(302, "[2JFound")),
        Case("not a word of it", Array("HTTP/1.1 200\r\n\r\n".utf8), .refused(200, "")),
        Case("a header without a colon", WebSocketBytes.answer(key, more: ["what"]), .notHTTP),
        Case("a header without a name", WebSocketBytes.answer(key, more: [": what"]), .notHTTP),
        Case("no Upgrade", WebSocketBytes.answer(key, without: "Upgrade"), .noUpgrade),
        Case("no Connection", WebSocketBytes.answer(key, without: "Connection"), .noUpgrade),
        Case("no key", WebSocketBytes.answer(key, without: "Sec-WebSocket-Accept"), .wrongAccept),
        Case("our key as it was", WebSocketBytes.answer(key, accept: { $0 }), .wrongAccept),
        Case(
            "two keys",
            WebSocketBytes.answer(key, more: ["Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]), .wrongAccept),
        Case("no sub-protocol", WebSocketBytes.answer(key, protocols: []), .otherSubprotocol(nil)),
        Case("another sub-protocol", WebSocketBytes.answer(key, protocols: ["chat"]), .otherSubprotocol("chat")),
        Case("two sub-protocols", WebSocketBytes.answer(key, protocols: ["sip", "sip"]), .otherSubprotocol("sip")),
        Case(
            "compression", WebSocketBytes.answer(key, more: ["Sec-WebSocket-Extensions: permessage-deflate"]),
            .unwantedExtension),
        Case(
            "an answer without an end", Array(("HTTP/1.1 101 " + String(repeating: "a", count: 9_000)).utf8),
            .answerTooLong),
        Case(
            "an answer that ends too late",
            WebSocketBytes.answer(key, more: ["A: " + String(repeating: "a", count: 9_000)]), .answerTooLong),
    ]

    @Test("a refusing server is distinguished", arguments: cases)
    func refusingServerIsDistinguished(_ refusal: Case) {
        #expect(throws: refusal.fault) { try answer(refusal.bytes) }
        #expect(!refusal.fault.text.isEmpty && !refusal.fault.text.contains("\u{1B}"))
    }

    @Test("a sub-protocol that was not requested is rejected")
    func subProtocolThatWasNotRequestedIsRejected() {
        let bytes = WebSocketBytes.answer(Self.key)
        #expect(throws: WebSocketFault.otherSubprotocol("sip")) {
            try answer(bytes, offer: WebSocketOffer(subprotocol: nil))
        }
    }

    @Test(
        "a path begins with a slash and fits into a request", arguments: ["", "sip", "/a b", "/a#b", "/é", "/\r\nA: b"])
    func pathBeginsWithSlashAndFitsIntoRequest(_ path: String) {
        #expect(!WebSocketOffer.isPath(path))
        #expect(WebSocketOffer.isPath("/") && WebSocketOffer.isPath("/a/b?c=d&e=%20"))
        #expect(!WebSocketOffer.isPath("/" + String(repeating: "a", count: 256)))
    }
}
