import Base
import SIPCore
import Testing

/// The torture messages of RFC 4475, read from the project's shared test data.
@Suite(.enabled(if: TortureFile.isPresent, "the files of RFC 4475 are not beside the repository"))
struct TortureTests {
    private func load(_ name: String) throws -> SIPMessage {
        try parse(#require(TortureFile.all.first { $0.name == name }).bytes)
    }

    private func loadRequest(_ name: String) throws -> SIPRequest {
        guard case .request(let request) = try load(name) else { throw Unexpected() }
        return request
    }

    @Test func everyTortureMessageIsListed() {
        #expect(TortureFile.all.count == 49)
        #expect(Set(TortureFile.all.map(\.name)).count == 49)
    }

    @Test(arguments: TortureFile.all)
    func tortureMessageHasItsOutcome(_ file: TortureFile) {
        var outcome = TortureFile.Outcome.valid
        do throws(SIPParseError) {
            let message = try parse(file.bytes)
            do throws(SIPParseError) { try message.validate() } catch { outcome = .invalid(error.kind, error.header) }
            #expect(throws: Never.self) { try #expect(parse(message.bytes) == message) }
        } catch {
            outcome = .unreadable(error.kind)
        }
        #expect(outcome == file.outcome)
    }

    @Test(arguments: TortureFile.all)
    func transactionLayerAnswersTortureMessage(_ file: TortureFile) throws {
        var layer = TransactionLayer(identifiers: .seeded())
        var answers: [Int] = []
        for effect in layer.receive(file.bytes.span, over: .test(.udp), at: .zero) {
            guard case .send(let bytes, _) = effect, case .response(let response) = try parse(bytes) else { continue }
            answers.append(response.status.code)
        }
        #expect(answers == (file.answer.map { [$0] } ?? []))
    }

    @Test func shortTortuousInviteIsRead() throws {
        let request = try loadRequest("wsinv")
        #expect(try request.headers.to.tag == "1918181833n")
        #expect(try request.headers.from.displayName == #"J Rosenberg \""#)
        #expect(try request.headers.maxForwards == 68)
        #expect(try request.headers.cSeq == CSeq(9, .invite))
        #expect(request.headers[.subject]?.isEmpty == true)
        #expect(try request.headers.vias.map(\.transport) == ["UDP", "TCP", "UDP"])
        #expect(try request.headers.vias.map(\.branch) == ["390skdjuw", "z9hG4bK9ikj8", "z9hG4bK30239"])
        #expect(try request.headers.contacts.first?.parameters["q"] == "0.33")
        #expect(try request.headers.contacts.first?.parameters["newparam"] == "newvalue")
        #expect(try request.headers.routes.first?.uri.sip?.isLooseRouter == true)
        #expect(request.body.count == 150)
    }

    @Test func wideRangeOfCharactersIsRead() throws {
        let request = try loadRequest("intmeth")
        #expect(request.method.name == "!interesting-Method0123456789_*+`.%indeed'~")
        #expect(request.uri.sip?.host == "example.com")
        #expect(try request.headers.to.displayName == "BEL:\u{7} NUL:\0 DEL:\u{7F}")
        #expect(try request.headers.from.displayName == "token1~` token2'+_ token3*%!.-")
        #expect(try request.headers.from.parameters["fromParam''~+*_!.-%"] == "работающий")
        #expect(try request.headers.maxForwards == 255)
        #expect(request.headers[SIPHeaderName("EXTENSIONheader-!.%*+_`'~")] == "\u{FEFF}大停電")
    }

    @Test func escapesAreRead() throws {
        let escaped = try loadRequest("esc01")
        #expect(escaped.uri.sip?.user == "sips:user@example.com")
        #expect(try escaped.headers.to.uri.isEquivalent(to: URI("sip:user@example.com")))
        #expect(try escaped.headers.contacts.first?.uri.sip?.isLooseRouter == true)
        let unescaped = try loadRequest("esc02")
        #expect(unescaped.method != .register)
        #expect(try unescaped.headers.contacts.count == 2)
        #expect(try unescaped.headers.to.displayName == "%Z%45")
        #expect(try loadRequest("escnull").headers.from.uri.sip?.user == "null-\0-null")
        #expect(try loadRequest("semiuri").uri.sip?.user == "user;par=u@example.net")
    }

    @Test func lengthsAndDatagramsAreRead() throws {
        #expect(try loadRequest("longreq").headers.vias.count == 34)
        #expect(try loadRequest("dblreq").method == .register)
        #expect(try loadRequest("mpart01").body.count == 553)
        #expect(try loadRequest("inv2543").body.starts(with: Array("v=0".utf8)))
    }

    @Test func parametersBelongToHeaderOrURI() throws {
        #expect(try loadRequest("cparam01").headers.contacts.first?.parameters.contains("unknownparam") == true)
        #expect(try loadRequest("cparam02").headers.contacts.first?.parameters.isEmpty == true)
        #expect(
            try loadRequest("cparam02").headers.contacts.first?.uri.sip?.parameters.contains("unknownparam") == true)
    }

    @Test func streamGivesBothMessagesOfDoubleRequest() throws {
        let bytes = try #require(TortureFile.all.first { $0.name == "dblreq" }).bytes
        var framer = SIPStreamFramer()
        let messages = framer.receive(bytes.span).compactMap { output in
            if case .message(let bytes) = output { bytes } else { nil }
        }
        // The second body is longer than announced; the parser rejects the rest.
        #expect(try messages.prefix(2).map { try parse($0).headers.cSeq.method } == [.register, .invite])
    }
}
