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
