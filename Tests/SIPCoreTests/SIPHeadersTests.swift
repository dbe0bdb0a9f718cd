import SIPCore
import Testing

@Suite struct SIPHeadersTests {
    @Test func namesIgnoreCaseAndForm() {
        #expect(SIPHeaderName("v") == .via)
        #expect(SIPHeaderName("VIA").text == "Via")
        #expect(SIPHeaderName("x-own") == SIPHeaderName("X-Own"))
        #expect(SIPHeaderName("x-own").text == "x-own")
        #expect(SIPHeaderName("From") != .to)
    }

    /// The IANA registry of SIP parameters, all of it.
    @Test(arguments: [
        ("a", "Accept-Contact"), ("b", "Referred-By"), ("c", "Content-Type"), ("d", "Request-Disposition"),
        ("e", "Content-Encoding"), ("f", "From"), ("i", "Call-ID"), ("j", "Reject-Contact"), ("k", "Supported"),
        ("l", "Content-Length"), ("m", "Contact"), ("n", "Identity-Info"), ("o", "Event"), ("r", "Refer-To"),
        ("s", "Subject"), ("t", "To"), ("u", "Allow-Events"), ("v", "Via"), ("x", "Session-Expires"),
        ("y", "Identity"),
    ])
    func compactFormsAreKnown(_ letter: String, _ name: String) throws {
        #expect(SIPHeaderName(letter) == SIPHeaderName(name.lowercased()))
        #expect(SIPHeaderName(letter.uppercased()).text == name)
        guard name != "Content-Length" else { return }
        let message = try parse(lines: "OPTIONS sip:a@b SIP/2.0\n\(letter) : value\n\n")
        #expect(message.headers[SIPHeaderName(name)] == "value")
        #expect(text(message.bytes).contains("\r\n\(name): value\r\n"))
    }

    /// Headers that no RFC here knows, and letters that are no compact form.
    @Test(arguments: ["g", "h", "p", "q", "w", "z", "X-Own", "P-Else"])
    func unknownNamesStayUnchanged(_ name: String) throws {
        let message = try parse(lines: "OPTIONS sip:a@b SIP/2.0\n\(name): value\n\n")
        #expect(text(message.bytes).contains("\r\n\(name): value\r\n"))
    }

    @Test func foldedListsAreLists() throws {
        let message = try parse(
            lines: "OPTIONS sip:a@b SIP/2.0\nm: \"a\\\\, \"\n <sip:a@b>\n\t;q=1,\n <tel:+1-2;ext=3> ,\n <im:x@y>\n\n")
        #expect(try message.headers.contacts.map(\.uri.text) == ["sip:a@b", "tel:+1-2;ext=3", "im:x@y"])
        #expect(try message.headers.contacts.first?.displayName?.hasPrefix("a\\") == true)
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

    @Test func linesAndCommasAreEquivalent() throws {
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

    @Test func valueCannotStartAnotherHeader() throws {
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

    @Test func everyKnownNameIsFoundInEveryForm() {
        let compact = [
            "a": "Accept-Contact", "u": "Allow-Events", "i": "Call-ID", "m": "Contact", "e": "Content-Encoding",
            "l": "Content-Length", "c": "Content-Type", "o": "Event", "f": "From", "y": "Identity", "r": "Refer-To",
            "b": "Referred-By", "x": "Session-Expires", "s": "Subject", "k": "Supported", "t": "To", "v": "Via",
        ]
        for (short, full) in compact {
            #expect(SIPHeaderName(short) == SIPHeaderName(full))
            #expect(SIPHeaderName(short.uppercased()).text == full)
            #expect(SIPHeaderName(full.uppercased()).text == full)
        }
        #expect(Set(compact.values.map { SIPHeaderName($0) }).count == compact.count)
        #expect(SIPHeaderName("Vib") != .via && SIPHeaderName("Call_ID") != .callID && SIPHeaderName("") != .via)
    }

    @Test func equalityIgnoresStorage() throws {
        let read = try request(lines: "BYE sip:a@b SIP/2.0\nv: one\nX-Own:two\nl: 0\nSubject: \n\n").headers
        var built = SIPHeaders()
        built[.subject] = "to be replaced"
        built[.subject] = nil
        built.append(.via, "one")
        built.append(SIPHeaderName("x-own"), "two")
        built.append(.subject, "")
        #expect(read == built)
        #expect(read.fields.map(\.name.text) == ["Via", "X-Own", "Subject"])
        built[.via] = "One"
        #expect(read != built)
        built[.via] = "one"
        built.append(.subject, "")
        #expect(read != built)
    }

    @Test func nonTextBytesSurvive() throws {
        var bytes = wire("BYE sip:a@b SIP/2.0\nX: \n\n")
        bytes.insert(0xE9, at: bytes.count - 4)
        #expect(try parse(bytes).headers[SIPHeaderName("X")] == "\u{FFFD}")
        #expect(try parse(bytes).bytes.contains(0xE9))
    }

    @Test func copiesAreIndependent() throws {
        let original = try request(lines: "BYE sip:a@b SIP/2.0\nVia: one\nTo: two\n\n")
        var copy = original
        copy.headers[.via] = "three"
        copy.headers.copy(.to, from: original.headers)
        #expect(original.headers.lines(.via) == ["one"])
        #expect(copy.headers.fields.map(\.value) == ["three", "two", "two"])
    }

    @Test func repeatedAssignmentDoesNotGrow() {
        var headers = SIPHeaders()
        headers.append(.subject, "stays")
        headers.append(SIPHeaderName("X-Own"), "too")
        for number in 0..<10_000 { headers[.cSeq] = "\(number) REGISTER" }
        #expect(headers.fields.map(\.value) == ["stays", "too", "9999 REGISTER"])
        #expect(headers.heldBytes < 8_192)
    }

    @Test func parametersAreQuotedIfNeeded() {
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
