import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("BYE of a successor process")
struct OrphanByeTests {
    private let stranger = Stranger()
    private let leg = CallID(.phone, 1)

    @Test("each end of an established call stores one memo, right after the answer")
    func eachEndOfEstablishedCallStoresOneMemoRightAfterAnswer() throws {
        var calls = Calls()
        calls.connect()
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        for (line, leg) in [(0, calls.caller), (1, calls.called)] {
            let outputs = calls.world.outputs(line)
            let answered = try #require(
                outputs.firstIndex { if case .event(.answered(leg, _)) = $0 { true } else { false } })
            #expect(calls.world.memos(line, leg).count == 1)
            #expect(outputs[answered + 1] == .event(.memo(leg, calls.world.memos(line, leg)[0])))
        }
    }

    @Test("the successor of either end ends the call, after any number of new terms", arguments: [0, 1])
    func successorOfEitherEndEndsCallAfterAnyNumberOfNewTerms(line: Int) throws {
        var calls = Calls()
        calls.connect()
        let (dead, other) = line == 0 ? (calls.caller, calls.called) : (calls.called, calls.caller)
        for round in 0..<20 {
            calls.world.command(line, .hold(dead, round.isMultiple(of: 2)))
            calls.world.run(.seconds(1))
        }
        let memo = try #require(calls.world.memos(line, dead).first)
        calls.world.restart(line)
        calls.world.command(line, .orphanBye(.direct, memo: memo))
        calls.world.run(.seconds(1))
        #expect(calls.world.ends(1 - line, other) == [.hungUpThere])
        calls.world.run(.seconds(60))
        #expect(calls.world.lines.allSatisfy { $0.deadline == nil })
    }

    @Test("one lost datagram or a second BYE does no harm", arguments: 0...2)
    func oneLostDatagramOrSecondBYEDoesNoHarm(number: Int) throws {
        var calls = Calls()
        calls.connect()
        let memo = try #require(calls.world.memos(0, calls.caller).first)
        calls.world.restart(0)
        calls.world.losing = [calls.world.sent + number]
        calls.world.command(0, .orphanBye(.direct, memo: memo))
        calls.world.run(LineMachine.byeTimeout)
        #expect(calls.world.ends(1, calls.called) == [.hungUpThere])
        calls.world.command(0, .orphanBye(.direct, memo: memo))
        calls.world.run(.seconds(60))
        #expect(calls.world.ends(1, calls.called) == [.hungUpThere])
        #expect(calls.world.lines.allSatisfy { $0.deadline == nil })
    }

    @Test("no server is waited for longer than a BYE takes")
    func noServerIsWaitedForLongerThanBYETakes() throws {
        var calls = Calls()
        calls.connect()
        let memo = try #require(calls.world.memos(0, calls.caller).first)
        calls.world.restart(0)
        calls.world.weather.lossPercent = 100
        let before = calls.world.sent
        calls.world.command(0, .orphanBye(.direct, memo: memo))
        calls.world.run(LineMachine.byeTimeout)
        // At once, after 0.5 s and after 1.5 s.
        #expect(calls.world.sent - before == 3)
        #expect(calls.world.lines[0].deadline == nil)
    }

    /// A call through the server, whose phone crashes in it.
    private func orphan(behind contact: Flow.Endpoint = World.serverEndpoint) throws -> (world: World, memo: String) {
        var world = World()
        world.server = TestServer()
        world.server?.contact = contact
        world.add(RegistrationTests.account())
        world.run(.seconds(1))
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        return (world, try #require(world.memos(0, leg).first))
    }

    @Test("the own server gets credentials even before registration", arguments: [0, 100, 1_000])
    func ownServerGetsCredentialsEvenBeforeRegistration(milliseconds: Int) throws {
        var (world, memo) = try orphan()
        let used = try #require(world.server?.requests.filter { $0.method == .invite }.last).headers.cSeq.number
        world.restart(0)
        world.run(.milliseconds(milliseconds))
        world.command(0, .orphanBye(.direct, memo: memo))
        world.run(.seconds(1))
        let byes = try #require(world.server?.requests.filter { $0.method == .bye })
        #expect(byes.last?.headers.contains(.proxyAuthorization) == true)
        #expect(try byes.allSatisfy { try $0.headers.cSeq.number > used + 10_000 })
        #expect(byes.count == 2)
    }

    @Test("a stranger that challenges the BYE gets no password hash")
    func strangerThatChallengesBYEGetsNoPasswordHash() throws {
        var (world, memo) = try orphan(behind: stranger.endpoint)
        world.restart(0)
        world.command(0, .orphanBye(.direct, memo: memo))
        world.run(.milliseconds(100))
        let bye = try #require(world.caughtRequests.last { $0.method == .bye })
        world.receive(stranger.challenge(bye).bytes, from: stranger)
        world.run(.seconds(5))
        let byes = world.caughtRequests.filter { $0.method == .bye }
        #expect(!byes.isEmpty && byes.allSatisfy { !$0.headers.contains(.proxyAuthorization) })
    }

    @Test(
        "nor does a caller behind the own server, or another realm", arguments: [true, false])
    func norDoesCallerBehindOwnServerOrAnotherRealm(isTheirs: Bool) throws {
        var world = World.registered()
        var memo: String
        if isTheirs {
            let behind = Stranger(World.serverEndpoint)
            world.receive(behind.invite().bytes, from: behind)
            let leg = CallID(.line(.direct), 1)
            world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
            world.run(.milliseconds(100))
            memo = try #require(world.memos(0, leg).first)
        } else {
            memo = try orphan().memo.replacing("1 example\n", with: "1 elsewhere\n")
        }
        world.restart(0)
        world.run(.seconds(1))
        world.command(0, .orphanBye(.direct, memo: memo))
        world.run(.seconds(5))
        let byes = try #require(world.server?.requests.filter { $0.method == .bye })
        #expect(byes.count == 1 && !byes[0].headers.contains(.proxyAuthorization))
    }

    @Test("the BYE takes the call's route")
    func byeTakesCallRoute() throws {
        var (world, invite) = try World.callingStranger()
        var success = stranger.success(to: invite, tag: "s", body: Stranger.answer)
        success.headers.append(.recordRoute, "<sip:203.0.113.77;lr>")
        success.headers.append(.recordRoute, "<sip:203.0.113.9;lr>")
        world.receive(success.bytes, from: stranger)
        let memo = try #require(world.memos(0, leg).first)
        world.restart(0)
        world.command(0, .orphanBye(.direct, memo: memo))
        world.run(.milliseconds(100))
        let bye = try #require(world.caughtRequests.last)
        #expect(bye.method == .bye && bye.uri.text == "sip:s@203.0.113.9:5060")
        #expect(bye.headers.lines(.route) == ["<sip:203.0.113.9;lr>", "<sip:203.0.113.77;lr>"])
        #expect(bye.headers[.callID] == invite.headers[.callID])
        #expect(try bye.headers.to.tag == "s" && bye.headers.from.tag == invite.headers.from.tag)
    }

    @Test("a memo is short and has no key, password or credentials")
    func memoIsShortAndHasNoKeyPasswordOrCredentials() throws {
        let (world, memo) = try orphan()
        #expect(memo.utf8.count < 600)
        #expect(memo.hasPrefix("1 example\n"))
        let key = try #require(world.agreed(0, leg)?.sdes?.sendKey)
        #expect(!memo.lowercased().contains("crypto") && !memo.contains("sesame") && !memo.contains("Digest"))
        #expect(unsafe !key.withBytes { unsafe Array(memo.utf8).contains($0) })
    }

    @Test("a call with oversized names has no memo")
    func callWithOversizedNamesHasNoMemo() throws {
        var world = World()
        world.add(Calls.direct("alice"))
        var invite = stranger.invite()
        invite.headers[.callID] = String(repeating: "x", count: 3_000)
        world.receive(invite.bytes, from: stranger)
        let leg = CallID(.line(.direct), 1)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        #expect(world.agreed(0, leg) != nil && world.memos(0, leg).isEmpty)
    }
}

extension World {
    func memos(_ line: Int, _ leg: CallID) -> [String] {
        outputs(line).compactMap { if case .event(.memo(leg, let memo)) = $0 { memo } else { nil } }
    }
}
