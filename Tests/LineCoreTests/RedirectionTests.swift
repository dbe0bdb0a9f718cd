import Base
import LineCore
import SIPCore
import Testing

@Suite("Redirected calls")
struct RedirectionTests {
    private let leg = CallID(.phone, 1)

    private static func account(
        _ change: (inout LineConfiguration.Account) -> Void = { _ in }
    ) -> LineConfiguration {
        var account = Ground.account(change)
        account.followsRedirections = true
        return account
    }

    /// A line at a server that redirects calls of one address to others.
    private func ground(
        _ contacts: [String: String], status: SIPStatus = .movedTemporarily,
        _ answers: [String: SIPStatus] = [:], configuration: LineConfiguration = Self.account(),
        over transport: Flow.Transport = .udp
    ) -> Ground {
        Ground(configuration, flows: [Ground.flow(transport)]) { request, _ in
            guard request.method == .invite else { return Ground.accept(request) }
            let address = request.uri.text
            guard let contact = contacts[address] else {
                return request.response(answers[address] ?? .busyHere, tag: "x")
            }
            var response = request.response(status, tag: "x")
            response.headers[.contact] = contact
            return response
        }
    }

    private func called(_ ground: Ground) -> [String] { ground.sent(.invite).map(\.request.uri.text) }

    @Test("contacts are tried by preference, each once, and To stays unchanged")
    func contactsAreTriedByPreferenceEachOnceAndToStaysUnchanged() throws {
        var ground = ground(
            [
                "sip:bob@far.example":
                    "<sip:c@server.example>;q=0.2, <tel:+4930-123>, <sip:b@server.example>;q=0.7, <sip:a@server.example>"
            ])
        ground.invite()
        let all = [
            "sip:+4930123@server.example", "sip:a@server.example", "sip:b@server.example", "sip:c@server.example",
        ]
        #expect(called(ground) == ["sip:bob@far.example"] + all)
        #expect(ground.ends == [.busyThere])
        let requests = ground.sent(.invite).map(\.request)
        #expect(try requests.allSatisfy { try $0.headers.to.uri.text == "sip:bob@far.example" })
        #expect(Set(requests.map { $0.headers[.callID] }).count == requests.count)
    }

    @Test("a call answered elsewhere is up")
    func callAnsweredElsewhereIsUp() throws {
        var ground = ground(["sip:bob@far.example": "<sip:a@server.example?Subject=x>"])
        let answer = ground.answer
        ground.answer = { request, flow in
            guard request.method == .invite, request.uri.text == "sip:a@server.example" else {
                return answer(request, flow)
            }
            return Stranger().success(to: request, tag: "one", body: Stranger.answer)
        }
        ground.invite()
        #expect(ground.outputs.contains { if case .event(.answered(leg, _)) = $0 { true } else { false } })
        #expect(ground.ends.isEmpty)
    }

    @Test("two contacts that redirect to each other are tried once each, and at most six in total")
    func twoContactsThatRedirectToEachOtherAreTriedOnceEach() {
        var pair = ground([
            "sip:bob@far.example": "<sip:a@server.example>",
            "sip:a@server.example": "<sip:A@server.example>, <sip:a@SERVER.example>",
        ])
        pair.invite()
        #expect(called(pair) == ["sip:bob@far.example", "sip:a@server.example", "sip:A@server.example"])
        #expect(pair.ends == [.busyThere])
        let row = (0..<20).map { "sip:a\($0)@server.example" }
        var chain = ground(
            Dictionary(uniqueKeysWithValues: zip(["sip:bob@far.example"] + row, row.map { "<\($0)>" })))
        chain.invite()
        #expect(called(chain) == ["sip:bob@far.example"] + row.prefix(5) && chain.ends == [.rejected(302)])
    }

    @Test(
        "invalid contacts are skipped; with none left the call ends with the redirect's status",
        arguments: [
            "<mailto:a@server.example>", "<http://a.example>", "<sip:a@server.example;method=BYE>", "*",
            "<sips:a@server.example>",
        ])
    func invalidContactsAreSkipped(contact: String) {
        var ground = ground(["sip:bob@far.example": contact])
        ground.invite()
        #expect(called(ground) == ["sip:bob@far.example"] && ground.ends == [.rejected(302)])
    }

    @Test("proxies and services are no contacts", arguments: [305, 380, 399])
    func proxiesAndServicesAreNoContacts(status: Int) {
        var ground = ground(["sip:bob@far.example": "<sip:a@server.example>"], status: SIPStatus(status))
        ground.invite()
        #expect(called(ground) == ["sip:bob@far.example"] && ground.ends == [.rejected(status)])
    }

    @Test("a redirect without permission is a refusal")
    func redirectWithoutPermissionIsRefusal() {
        var home = Ground.account()
        home.followsRedirections = false
        var ground = ground(["sip:bob@far.example": "<sip:a@server.example>"], configuration: home)
        ground.invite()
        #expect(called(ground) == ["sip:bob@far.example"] && ground.ends == [.rejected(302)])
    }

    @Test("a call over TLS on every hop stays on TLS")
    func callOverTLSOnEveryHopStaysOnTLS() {
        var home = Self.account { $0.server = NextHop(host: "server.example", transport: .tls) }
        home.transport = .tls
        var ground = ground(
            ["sips:bob@far.example": "<sip:a@server.example>;q=1, <tel:+49>, <sips:b@server.example>;q=0.1"],
            configuration: home,
            over: .tls)
        ground.invite("sips:bob@far.example")
        #expect(called(ground) == ["sips:bob@far.example", "sips:b@server.example"])
    }

    @Test("a 6xx response ends the search")
    func everywhere() {
        var ground = ground(
            ["sip:bob@far.example": "<sip:a@server.example>, <sip:b@server.example>"],
            ["sip:a@server.example": .decline])
        ground.invite()
        #expect(called(ground).count == 2 && ground.ends == [.declinedThere])
    }

    @Test("silent contacts are skipped, and a hang-up ends the search")
    func silentContactsAreSkippedAndHangUpEndsSearch() {
        var ground = ground(["sip:bob@far.example": "<sip:a@server.example>, <sip:b@server.example>"])
        let answer = ground.answer
        ground.answer = { request, flow in request.uri.text == "sip:a@server.example" ? nil : answer(request, flow) }
        ground.invite()
        ground.run(.seconds(33))
        #expect(Set(called(ground)) == ["sip:bob@far.example", "sip:a@server.example", "sip:b@server.example"])
        #expect(ground.ends == [.busyThere])
        ground.invite()
        ground.tell(.command(.end(leg)))
        ground.run(.seconds(40))
        #expect(called(ground).filter { $0 == "sip:b@server.example" }.count == 1)
        #expect(ground.ends == [.busyThere, .hungUpHere])
    }

    // MARK: Consent

    @Test("no contact is called before the user agrees, nor after a refusal or timeout")
    func noContactIsCalledBeforeUserAgreesNorAfterRefusalOrTimeout() {
        for answer in [false, nil] as [Bool?] {
            var ground = ground(["sip:bob@far.example": "<sip:0900@server.example>, <sip:b@server.example>"])
            ground.agrees = nil
            ground.invite()
            ground.run(.seconds(31))
            #expect(called(ground) == ["sip:bob@far.example"] && ground.ends.isEmpty)
            #expect(ground.outputs.contains(.event(.redirected(leg, to: "0900"))))
            if let answer { ground.tell(.command(.redirect(leg, answer))) }
            ground.run(.seconds(2))
            #expect(called(ground) == ["sip:bob@far.example"] && ground.ends == [.rejected(302)])
            ground.tell(.command(.redirect(leg, true)))
            #expect(called(ground).count == 1)
        }
    }

    @Test("each contact is asked for")
    func eachContactIsAskedFor() {
        var ground = ground(["sip:bob@far.example": "<sip:a@server.example>, <sip:b@server.example>"])
        ground.invite()
        let asked = ground.outputs.compactMap {
            if case .event(.redirected(_, let number)) = $0 { number } else { nil }
        }
        #expect(asked == ["a", "b"])
    }

    @Test(
        "only contacts in the account's own domain are asked for",
        arguments: [
            ("sip:0900@evil.example", nil), ("sip:a@server.example", "a"), ("sip:a@SERVER.example:5070", "a"),
            ("sip:a@192.0.2.100", "a"), ("sip:a@192.0.2.101", nil), ("tel:+49301", "+49301"),
            ("sip:0301;x=0900@server.example", "sip:0301;x=0900@server.example"),
            ("sip:server.example", "sip:server.example"),
        ] as [(String, String?)])
    func onlyContactsInAccountOwnDomainAreAskedFor(contact: String, shown: String?) {
        var ground = ground(["sip:bob@far.example": "<\(contact)>"])
        ground.agrees = nil
        ground.invite()
        let asked = ground.outputs.compactMap {
            if case .event(.redirected(_, let number)) = $0 { number } else { nil }
        }
        #expect(asked == (shown.map { [$0] } ?? []))
    }
}
