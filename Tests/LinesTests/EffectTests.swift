import Base
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Effects and events of the lines", .timeLimit(.minutes(5)))
struct EffectTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let call = CallID(.phone, 1)

    private func phone(_ user: String, server port: UInt16? = nil) async throws -> Phone {
        let phone = try await Phone(
            user, on: loop,
            account: port.map { .init(domain: "server.example", server: NextHop(host: "127.0.0.1", port: $0)) })
        try await phone.start()
        return phone
    }

    /// A call from a phone to another, answered.
    private func connect(_ alice: Phone, _ bob: Phone) async throws -> CallID {
        let target = "sip:bob@127.0.0.1:\(try await bob.port())"
        try await alice.perform(.dial(call, target: target, account: Phone.account, MediaEndpoint(port: 4_000)))
        let theirs = try await bob.offered()
        try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
        _ = try await bob.answered()
        return theirs
    }

    private func request(_ method: SIPMethod, _ extra: [(SIPHeaderName, String)] = [], body: String) -> SIPRequest {
        var request = SIPRequest(
            method, .sip(SIPURI(user: "alice", host: "127.0.0.1")),
            from: NameAddress(.sip(SIPURI(user: "5551234", host: "server.example")), tag: "s"),
            to: NameAddress(.sip(SIPURI(user: "alice", host: "server.example"))), callID: "said", sequence: 1)
        request.headers[.via] = "SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK-said"
        request.headers[.contact] = "<sip:server@127.0.0.1:9>"
        for (name, value) in extra { request.headers[name] = value }
        request.body = Array(body.utf8)
        return request
    }

    @Test("a process killed in a call leaves a memo, and the next one sends BYE with it")
    func processKilledInCallLeavesMemoAndNextOneSendsBYEWithIt() async throws {
        let (alice, bob) = (try await phone("alice"), try await phone("bob"))
        _ = try await connect(alice, bob)
        let memo = try await alice.first { if case .memo(call, let memo) = $0 { memo } else { nil } }
        // The next process has the configured port, where the far end expects it.
        let port = UInt16(try await alice.port())
        try await alice.close()
        let next = try await Phone("alice", on: loop, port: port)
        try await next.start()
        try await next.perform(.orphanBye(Phone.account, memo: memo))
        #expect(try await bob.ended() == .hungUpThere)
        try await next.perform(.orphanBye(Phone.account, memo: "nonsense"))
        #expect(try await next.counters().malformed == 1)
        try await next.close()
        try await bob.close()
    }

    @Test("a call moves and keeps its terms")
    func callMovesAndKeepsItsTerms() async throws {
        let (alice, bob) = (try await phone("alice"), try await phone("bob"))
        _ = try await connect(alice, bob)
        let plan = try await alice.answered()
        try await alice.perform(.move(call, nil))
        #expect(try await alice.first { if case .moved(call, let plan?) = $0 { plan } else { nil } } == plan)
        try await alice.close()
        try await bob.close()
    }

    @Test("a transfer reaches the far end, and its reports return")
    func transferReachesFarEndAndItsReportsReturn() async throws {
        let (alice, bob) = (try await phone("alice"), try await phone("bob"))
        _ = try await connect(alice, bob)
        _ = try await alice.answered()
        try await alice.perform(.transfer(call, to: "sip:carol@127.0.0.1"))
        let (asked, number) = try await bob.first { event in
            if case .referred(let call, let number) = event { (call, number) } else { nil }
        }
        #expect(number == "carol")
        try await bob.perform(.declineReferral(asked))
        let isAccepted = try await alice.first { event in
            if case .transferSettled(call, let accepted) = event { accepted } else { nil }
        }
        let isDone = try await alice.first { event in
            if case .transferred(call, let succeeded) = event { succeeded } else { nil }
        }
        #expect(isAccepted && !isDone)
        try await alice.close()
        try await bob.close()
    }

    @Test("an unregistered line reports its state again, and an unknown one is rejected")
    func unregisteredLineReportsItsStateAgain() async throws {
        let alice = try await phone("alice")
        try await alice.perform(.reconnect(Phone.account))
        try await alice.perform(.reconnect(AccountID(9)))
        let failed = RegistrationState.failed("there is no such line")
        var states: [RegistrationState] = []
        while states.last != failed {
            states.append(try await alice.first { if case .registration(_, let state) = $0 { state } else { nil } })
        }
        #expect(states == [.notNeeded, .notNeeded, failed])
        try await alice.close()
    }

    @Test("a changed account unregisters first")
    func changedAccountUnregistersFirst() async throws {
        let registrar = try await Registrar(on: loop)
        let alice = try await phone("alice", server: registrar.port)
        _ = try await alice.first { $0 == .registration(Phone.account, .registered) ? true : nil }
        let bert = AccountCredentials(user: "bert", password: Redacted("secret"), callerName: "Bert")
        try await alice.perform(.reconfigure(Phone.account, bert))
        _ = try await alice.first { $0 == .registration(Phone.account, .registering) ? true : nil }
        _ = try await alice.first { $0 == .registration(Phone.account, .registered) ? true : nil }
        // The first one was lost, so it was repeated.
        #expect(registrar.unregisters == 2)
        try await alice.close()
        try await registrar.close()
    }

    @Test("the server's reports about callers and messages reach the phone")
    func serverReportsAboutCallersAndMessagesReachPhone() async throws {
        let registrar = try await Registrar(on: loop)
        let alice = try await phone("alice", server: registrar.port)
        _ = try await alice.first { $0 == .registration(Phone.account, .registered) ? true : nil }
        try await registrar.say(
            request(
                .notify, [(.event, "message-summary"), (.contentType, "application/simple-message-summary")],
                body: "Messages-Waiting: yes\r\nVoice-Message: 3/1\r\n"), to: alice)
        let count = try await alice.first {
            if case .messagesWaiting(Phone.account, let count) = $0 { count } else { nil }
        }
        #expect(count == 3)
        try await registrar.say(
            request(
                .invite,
                [
                    (.alertInfo, "<Bellcore-dr2>"), (.callInfo, ";answer-after=0"),
                    (.pAssertedIdentity, "<tel:+1555;verstat=TN-Validation-Passed>"),
                    (SIPHeaderName("X-Telnyx-Call-Control-ID"), "v3:1"),
                ], body: ""), to: alice)
        let caller = try await alice.first { if case .offered(_, let caller) = $0 { caller } else { nil } }
        #expect(caller.number == "+1555" && caller.ids == ["v3:1"] && caller.ring == "bellcore-dr2")
        #expect(caller.wantsAutoAnswer && caller.verification == .passed && caller.arrived != nil)
        try await alice.close()
        try await registrar.close()
    }
}
