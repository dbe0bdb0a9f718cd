import Base
import HTTPClient
import Testing

@Suite struct HTTPRequestTests {
    @Test func onlyPostIsNotRepeatable() {
        #expect(HTTPRequest(.get, "https://a.example/").isRepeatable)
        #expect(HTTPRequest(.delete, "https://a.example/").isRepeatable)
        #expect(!HTTPRequest(.post, "https://a.example/").isRepeatable)
        #expect(HTTPRequest(.post, "https://a.example/", isRepeatable: true).isRepeatable)
    }

    @Test func printsNoSecret() {
        let request = HTTPRequest(
            .post, "https://a.example/t", bearer: Redacted("secret-word"), body: Array("secret-word".utf8))
        let response = HTTPResponse(status: 200, body: Array("secret-word".utf8))
        var dumped = "\(request) \(response)"
        dump(request, to: &dumped)
        dump(response, to: &dumped)
        #expect(!dumped.contains("secret") && !dumped.contains("115"), "\(dumped)")
        #expect(dumped.contains("POST https://a.example/t, 11 bytes"))
    }
}

extension HTTPRequestTests {
    @Test(arguments: [
        HTTPRequest(.get, "https://a.example/", headers: [.init("X-A", "b\r\nX: c")]),
        HTTPRequest(.get, "https://a.example/", headers: [.init("X A", "b")]),
        HTTPRequest(.get, "https://a.example/", headers: [.init("", "b")]),
        HTTPRequest(.get, "https://a.example/", headers: [.init("authorization", "b")]),
        HTTPRequest(.get, "https://a.example/", headers: [.init("Host", "b.example")]),
        HTTPRequest(.get, "https://a.example/", headers: [.init("Cookie", "b=c")]),
        HTTPRequest(.get, "https://a.example/", headers: [.init("X", String(repeating: "y", count: 9_000))]),
        HTTPRequest(.get, "https://a.example/", bearer: Redacted("a\nb")),
        HTTPRequest(.get, "https://a.example/", bearer: Redacted("a b")),
        HTTPRequest(.get, "https://a.example/", bearer: Redacted("")),
        HTTPRequest(.get, "https://a.example/", etag: "\"\r\n\""),
        HTTPRequest(.get, "https://a.example/", body: [1]),
        HTTPRequest(.post, "https://a.example/", body: [1], contentType: "a\n"),
        HTTPRequest(.post, "https://a.example/", body: [UInt8](repeating: 1, count: 300_000)),
        HTTPRequest(.get, "https://a.example/", timeout: .zero), HTTPRequest(.get, "http://a.example/"),
    ])
    func wrongRequestIsNotSent(_ request: HTTPRequest) {
        #expect(throws: HTTPFailure.self) { try request.checked() }
    }

    @Test func rightRequestIsSent() throws {
        let request = HTTPRequest(
            .post, "https://a.example/", headers: [.init("Accept", "application/json")],
            bearer: Redacted("a.b-c_d~e+f/g="),
            body: Array("{}".utf8), contentType: "application/json; charset=utf-8", etag: "W/\"a\"")
        #expect(try request.checked().text == "https://a.example/")
    }
}
