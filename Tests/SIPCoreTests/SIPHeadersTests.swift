import SIPCore
import Testing

@Suite struct SIPHeadersTests {
    @Test func namesCompareWithoutCaseAndForm() {
        #expect(SIPHeaderName("v") == .via)
        #expect(SIPHeaderName("VIA").text == "Via")
        #expect(SIPHeaderName("x-own") == SIPHeaderName("X-Own"))
        #expect(SIPHeaderName("x-own").text == "x-own")
        #expect(SIPHeaderName("From") != .to)
    }

    @Test func orderIsKept() {
        var headers = SIPHeaders()
        headers.append(.route, "<sip:one>")
        headers.append(.subject, "s")
        headers.append(.route, "<sip:two>")
        #expect(headers.lines(.route) == ["<sip:one>", "<sip:two>"])
        headers[.route] = "<sip:three>"
        #expect(headers.fields.map(\.value) == ["<sip:three>", "s"])
        headers[.route] = nil
        headers.set(.supported, tokens: ["timer", "100rel"])
        #expect(headers.fields.map(\.value) == ["s", "timer, 100rel"])
    }

    @Test func linesAndCommasMeanTheSame() throws {
        var headers = SIPHeaders()
        headers.append(.contact, #""A, B" <sip:a@b>;q=1, <sip:c@d>"#)
        headers.append(.contact, "<sip:e,f@g>")
        #expect(try headers.contacts.map(\.uri.text) == ["sip:a@b", "sip:c@d", "sip:e,f@g"])
    }

    @Test func faultsNameTheirHeader() {
        var headers = SIPHeaders()
        #expect(throws: SIPParseError(.missing, at: 0, in: .to)) { try headers.to }
        headers.append(.to, "<sip:a@b")
        #expect(throws: SIPParseError(.expected(">"), at: 8, in: .to)) { try headers.to }
        headers.append(.to, "<sip:a@b>")
        #expect(throws: SIPParseError(.repeated, at: 0, in: .to)) { try headers.to }
    }

    @Test func noValueStartsAHeaderOfItsOwn() throws {
        var request = try SIPRequest.sample(.invite)
        request.headers[.subject] = "x\r\nEvil: 1"
        request.headers.set(.contact, NameAddress(request.uri, displayName: "a\r\nEvil: 2"))
        let back = try parse(request.bytes)
        #expect(!back.headers.contains(SIPHeaderName("Evil")))
        #expect(!SIPResponse(.ok, phrase: "x\r\nEvil: 3").phrase.utf8.contains(10))
    }

    @Test func emptyListsAreEmpty() throws {
        var headers = SIPHeaders()
        headers[.supported] = ""
        #expect(try headers.tokens(.supported).isEmpty)
        headers[.supported] = "a ,b"
        #expect(try headers.tokens(.supported) == ["a", "b"])
    }

    @Test func parametersAreQuotedWhenTheyMustBe() {
        var parameters = SIPParameters()
        parameters["a"] = "plain"
        parameters["b"] = "two words\""
        parameters.setFlag("lr")
        #expect(parameters["A"] == "plain")
        #expect(parameters["b"] == "two words\"")
        #expect(parameters.all[1].written == #""two words\"""#)
        #expect(parameters["lr"]?.isEmpty == true)
        parameters["a"] = nil
        #expect(!parameters.contains("a"))
    }
}
