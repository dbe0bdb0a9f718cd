import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Session timers")
struct SessionTimerTests {
    /// The refreshing end, and its method.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let method: SIPMethod
        /// The line that refreshes: 0 invited.
        let refresher: Int
        let meddle: @Sendable (inout SIPMessage) -> Void

        static let all = [
            Case(testDescription: "the caller, by UPDATE", method: .update, refresher: 0, meddle: { _ in }),
            Case(
                testDescription: "the called, by UPDATE", method: .update, refresher: 1,
                meddle: { $0.inInvite { $0.set(.sessionExpires, SessionExpires(seconds: 1_800, refresher: .uas)) } }),
            Case(
                testDescription: "the caller, by re-INVITE", method: .invite, refresher: 0,
                meddle: { $0.forbidUpdate() }),
            Case(
                testDescription: "the callee, which decides it, by re-INVITE", method: .invite, refresher: 1,
                meddle: { message in
                    message.forbidUpdate()
                    message.inInvite { headers in
                        if (try? headers.to.tag) == .some(nil) { headers[.sessionExpires] = nil }
                    }
                }),
        ]
    }

    private func connected(_ meddle: ((inout SIPMessage) -> Void)? = nil) -> Calls {
        var calls = Calls()
        calls.world.meddle = meddle
        calls.connect()
        return calls
    }

    private func refreshes(_ calls: Calls, _ method: SIPMethod) -> [(at: Instant, request: SIPRequest)] {
        calls.world.requests(method).filter { (try? $0.request.headers.to.tag) != .some(nil) }
    }

    @Test("a call of three hours is refreshed every quarter of an hour, without other changes", arguments: Case.all)
    func callOfThreeHoursIsRefreshedEveryQuarterOfHour(_ which: Case) throws {
        var calls = connected(which.meddle)
        let start = calls.world.now
        calls.world.run(.seconds(3 * 3_600))
        let sent = refreshes(calls, which.method)
        #expect(sent.count == 12 && refreshes(calls, which.method == .update ? .invite : .update).isEmpty)
        let own = which.refresher == 0 ? "alice" : "bob"
        #expect(try sent.allSatisfy { try $0.request.headers.contacts.first?.uri.sip?.user == own })
        #expect(sent.allSatisfy { $0.request.headers[.sessionExpires] == "1800;refresher=uac" })
        let pauses = zip([start] + sent.map(\.at), sent.map(\.at)).dropFirst().map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 >= .seconds(900) && $0 < .seconds(901) })
        if which.method == .invite {
            #expect(Set(sent.map(\.request.body)).count == 1)
            let offers = try sent.map { try SessionDescription(parsing: $0.request.body).origin.version }
            #expect(Set(offers) == [1], "an unchanged description is no new version (RFC 4028 §7.4)")
        }
        #expect(calls.world.renegotiated(0, calls.caller).isEmpty && calls.world.renegotiated(1, calls.called).isEmpty)
        #expect(calls.world.settled(which.refresher, which.refresher == 0 ? calls.caller : calls.called).isEmpty)
        calls.world.command(1, .end(calls.called))
        calls.world.run(.seconds(60))
        #expect(calls.world.ends(0, calls.caller) == [.hungUpThere])
        #expect(calls.world.ends(1, calls.called) == [.hungUpHere])
        #expect(calls.world.lines.allSatisfy { $0.deadline == nil })
    }

    @Test("without a far end the call ends 32 s before its session does, at both ends")
    func withoutFarEndCallEnds32SBeforeItsSessionDoesAtBothEnds() throws {
        var calls = connected()
        calls.world.run(.seconds(1_000))
        let refreshed = try #require(refreshes(calls, .update).last).at
        calls.world.weather.lossPercent = 100
        calls.world.run(.seconds(1_700))
        for (line, leg) in [(0, calls.caller), (1, calls.called)] {
            let ended = calls.world.said.filter { $0.line == line && $0.output == .event(.ended(leg, .unreachable)) }
            #expect(ended.count == 1)
            let left = try #require(ended.first).at - refreshed - LineMachine.byeTimeout
            #expect(left >= .seconds(1_768) && left < .seconds(1_769))
        }
        let bye = try #require(calls.world.requests(.bye).first)
        #expect(bye.request.headers[.reason]?.hasPrefix("SIP;cause=408") == true)
    }

    @Test("a network outage during the refresh does not end the call", arguments: Case.all)
    func networkOutageDuringRefreshDoesNotEndCall(_ which: Case) {
        var calls = connected(which.meddle)
        calls.world.run(.seconds(850))
        calls.world.weather.lossPercent = 100
        calls.world.run(.seconds(120))
        calls.world.weather.lossPercent = 0
        calls.world.run(.seconds(7_200))
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("a short session is refreshed at 45 s and expires at 60")
    func shortSessionIsRefreshedAt45SAndExpiresAt60() {
        var world = World()
        var alice = Calls.direct("alice")
        alice.sessionExpires = 90
        world.add(alice)
        world.add(Calls.direct("bob"))
        let (caller, called) = (CallID(.phone, 1), CallID(.line(.direct), 1))
        world.command(0, .dial(caller, target: "sip:x@192.0.2.2", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        world.command(1, .answer(called, MediaEndpoint(port: 5_000), awaitingACK: false))
        world.run(.seconds(44))
        #expect(world.requests(.update).isEmpty)
        world.run(.seconds(2))
        #expect(world.requests(.update).count == 1)
        world.run(.seconds(600))
        #expect(world.requests(.update).count == 14)
        world.weather.lossPercent = 100
        world.run(.seconds(65))
        #expect(world.ends(0, caller) == [.unreachable] && world.ends(1, called) == [.unreachable])
    }

    @Test("a hold refreshes the session and keeps the roles", arguments: [0, 1])
    func holdRefreshesSessionAndKeepsRoles(line: Int) throws {
        var calls = connected()
        calls.world.run(.seconds(600))
        calls.world.command(line, .hold(line == 0 ? calls.caller : calls.called, true))
        calls.world.run(.seconds(1))
        let hold = try #require(refreshes(calls, .invite).first)
        #expect(hold.request.headers[.sessionExpires] == "1800;refresher=" + (line == 0 ? "uac" : "uas"))
        calls.world.run(.seconds(898))
        #expect(refreshes(calls, .update).isEmpty)
        calls.world.run(.seconds(3))
        #expect(refreshes(calls, .update).count == 1)
        #expect(try refreshes(calls, .update)[0].request.headers.contacts[0].uri.sip?.user == "alice")
    }

    @Test("422 raises the interval")
    func tooShort() throws {
        var world = World()
        var (alice, bob) = (Calls.direct("alice"), Calls.direct("bob"))
        alice.sessionExpires = 90
        bob.minimumSessionExpires = 300
        world.add(alice)
        world.add(bob)
        let (caller, called) = (CallID(.phone, 1), CallID(.line(.direct), 1))
        world.command(0, .dial(caller, target: "sip:x@192.0.2.2", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        let invites = world.requests(.invite).map(\.request)
        #expect(invites.map { $0.headers[.sessionExpires] } == ["90", "300"])
        #expect(invites.map { $0.headers[.minSE] } == [nil, "300"])
        #expect(try invites[1].headers.cSeq.number == invites[0].headers.cSeq.number + 1)
        #expect(invites[0].headers[.callID] == invites[1].headers[.callID])
        #expect(world.offeredLegs(1) == [called])
        world.command(1, .answer(called, MediaEndpoint(port: 5_000), awaitingACK: false))
        world.run(.seconds(1_000))
        #expect(world.agreed(0, caller) != nil && world.requests(.update).count == 6)
        world.command(0, .end(caller))
        world.run(.seconds(1))
        #expect(world.ends(0, caller) == [.hungUpHere] && world.ends(1, called) == [.hungUpThere])
    }
}

extension SIPMessage {
    /// A far end that does not know UPDATE.
    fileprivate mutating func forbidUpdate() {
        let allowed = ["INVITE", "ACK", "CANCEL", "BYE", "OPTIONS"]
        switch self {
        case .request(var request):
            if request.headers.contains(.allow) { request.headers.set(.allow, tokens: allowed) }
            self = .request(request)
        case .response(var response):
            if response.headers.contains(.allow) { response.headers.set(.allow, tokens: allowed) }
            self = .response(response)
        }
    }
}
