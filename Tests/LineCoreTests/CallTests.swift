import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Calls between two lines")
struct CallTests {
    @Test("a call is offered, alerted, answered, held, resumed and ended")
    func callIsOfferedAlertedAnsweredHeldResumedAndEnded() throws {
        var calls = Calls()
        calls.connect()
        #expect(
            calls.world.outputs(1).contains(.event(.offered(calls.called, try #require(calls.world.callerIdentity(1)))))
        )
        let caller = try #require(calls.world.agreed(0, calls.caller))
        let called = try #require(calls.world.agreed(1, calls.called))
        #expect(caller.remote == MediaAddress(host: "192.0.2.2", port: 5_000))
        #expect(called.remote == MediaAddress(host: "192.0.2.1", port: 4_000))
        #expect(caller.sdes?.sendKey == called.sdes?.receiveKey)
        #expect(caller.sdes?.receiveKey == called.sdes?.sendKey)
        #expect(
            calls.world.outputs(0).prefix(4) == [
                .event(.registration(.direct, .notNeeded)), .event(.offerSent(calls.caller)),
                .event(.ringing(calls.caller)),
                .event(.answered(calls.caller, caller)),
            ])

        calls.world.command(1, .hold(calls.called, true))
        calls.world.run(.seconds(1))
        #expect(calls.world.settled(1, calls.called).map(\.?.direction) == [.sendonly])
        #expect(calls.world.heldByFarEnd(0, calls.caller) == [true])
        calls.world.command(1, .hold(calls.called, false))
        calls.world.run(.seconds(1))
        #expect(calls.world.settled(1, calls.called).last == called)
        #expect(calls.world.renegotiated(0, calls.caller).last == caller)

        calls.world.command(0, .end(calls.caller))
        calls.world.run(.seconds(1))
        #expect(calls.world.ends(0, calls.caller) == [.hungUpHere])
        #expect(calls.world.ends(1, calls.called) == [.hungUpThere])
        calls.world.run(.seconds(60))
        #expect(calls.world.lines.allSatisfy { $0.deadline == nil }, "nothing is left to do")
    }

    @Test("the caller's name and number are reported clean and bounded")
    func callerIdentity() throws {
        var world = World()
        world.add(
            LineConfiguration(user: "al\u{7}ice", displayName: "A\u{202E}\u{0}" + String(repeating: "x", count: 500)))
        world.add(Calls.direct("bob"))
        world.command(
            0, .dial(CallID(.phone, 1), target: "sip:bob@192.0.2.2", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        let identity = try #require(world.callerIdentity(1))
        #expect(identity.number == "alice")
        #expect(
            identity.displayName?.count == Caller.nameLimit && identity.displayName?.hasPrefix("Ax") == true)
    }

    @Test("a call works, holds and ends although any one datagram is lost", arguments: 1...24)
    func callWorksHoldsAndEndsAlthoughAnyOneDatagramIsLost(number: Int) {
        var calls = Calls()
        calls.world.losing = [number]
        calls.connect()
        // Longer than a 2xx waits for its ACK.
        calls.world.run(.seconds(40))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(10))
        calls.world.command(0, .hold(calls.caller, false))
        calls.world.run(.seconds(10))
        calls.world.command(1, .end(calls.called))
        calls.world.run(.seconds(40))
        #expect(calls.world.agreed(0, calls.caller) != nil && calls.world.agreed(1, calls.called) != nil)
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly, .sendrecv])
        #expect(calls.world.heldByFarEnd(1, calls.called) == [true, false])
        #expect(calls.world.ends(1, calls.called) == [.hungUpHere])
        #expect(calls.world.ends(0, calls.caller) == [.hungUpThere])
    }

    @Test("on a bad network calls connect and end", arguments: 0..<60)
    func onBadNetworkCallsConnectAndEnd(seed: UInt64) {
        var calls = Calls(
            seed: seed, weather: .init(lossPercent: 20, duplicatePercent: 20, delayMilliseconds: 400))
        calls.connect()
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(30))
        calls.world.command(0, .end(calls.caller))
        calls.world.run(.seconds(200))
        #expect(calls.world.agreed(0, calls.caller) != nil, "seed \(seed)")
        #expect(calls.world.ends(0, calls.caller).count == 1, "seed \(seed)")
        #expect(calls.world.ends(1, calls.called).count == 1, "seed \(seed)")
        #expect(calls.world.lines.allSatisfy { $0.deadline == nil }, "seed \(seed)")
    }

    @Test("a hang-up at any moment of the set-up ends both legs once", arguments: 0..<120)
    func hangUpAtAnyMomentOfSetUpEndsBothLegsOnce(step: Int) {
        var calls = Calls(seed: UInt64(step), weather: .init(delayMilliseconds: 40))
        calls.invite()
        // The answer comes at 100 ms, the BYE somewhere around it, on either side.
        let bye = Duration.milliseconds(step / 2 * 5)
        let isFirst = bye < .milliseconds(100)
        calls.world.run(isFirst ? bye : .milliseconds(100))
        if isFirst { calls.world.command(0, .end(calls.caller)) } else { calls.answer() }
        calls.world.run(isFirst ? .milliseconds(100) - bye : bye - .milliseconds(100))
        if isFirst {
            calls.answer()
        } else if step.isMultiple(of: 2) {
            calls.world.command(0, .end(calls.caller))
        } else {
            calls.world.command(1, .end(calls.called))
        }
        calls.world.run(.seconds(100))
        #expect(calls.world.ends(0, calls.caller).count == 1)
        #expect(calls.world.ends(1, calls.called).count == calls.world.offeredLegs(1).count)
        #expect(calls.world.lines.allSatisfy { $0.deadline == nil })
    }

    @Test("crossing holds are both settled in the end", arguments: 0..<20)
    func crossingHoldsAreBothSettledInEnd(seed: UInt64) {
        var calls = Calls(seed: seed)
        calls.connect()
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.command(1, .hold(calls.called, true))
        calls.world.run(.seconds(10))
        #expect(calls.world.settled(0, calls.caller).count == 1 && calls.world.settled(0, calls.caller)[0] != nil)
        #expect(calls.world.settled(1, calls.called).count == 1 && calls.world.settled(1, calls.called)[0] != nil)
        // RFC 3261 §14.1. The waiting end gets no report if its INVITE crossed no other.
        let (owner, other) = (calls.world.delays(0, calls.caller), calls.world.delays(1, calls.called))
        #expect(!owner.isEmpty || !other.isEmpty)
        #expect(owner.allSatisfy { $0 >= .milliseconds(2_100) && $0 <= .seconds(4) })
        #expect(other.allSatisfy { $0 >= .zero && $0 <= .seconds(2) })
        calls.world.command(0, .hold(calls.caller, false))
        calls.world.run(.seconds(1))
        // Still held by the far end.
        #expect(calls.world.settled(0, calls.caller).last??.direction == .recvonly)
    }

    @Test(
        "refusals send the right status",
        arguments: [
            (CallRejection.busy, EndReason.busyThere), (.declined, .declinedThere), (.noAnswer, .noAnswer),
            (.unavailable, .noAnswer),
        ])
    func refusalsSendRightStatus(_ refusal: CallRejection, _ end: EndReason) {
        var calls = Calls()
        calls.invite()
        calls.world.run(.seconds(1))
        calls.world.command(1, .refuse(calls.called, refusal))
        calls.world.run(.seconds(1))
        #expect(calls.world.ends(1, calls.called) == [EndReason(refusal)])
        #expect(calls.world.ends(0, calls.caller) == [end])
    }

    @Test("ends without a common protection have no call, and no phone rings")
    func endsWithoutCommonProtectionHaveNoCallAndNoPhoneRings() {
        var world = World()
        world.add(LineConfiguration(user: "alice", media: .init(protection: .off)))
        world.add(Calls.direct("bob"))
        world.command(
            0, .dial(CallID(.phone, 1), target: "sip:bob@192.0.2.2", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        #expect(world.ends(0, CallID(.phone, 1)) == [.incompatible])
        #expect(world.offeredLegs(1).isEmpty)
    }

    @Test(
        "invalid targets are rejected",
        arguments: [
            ("12345", EndReason.invalidTarget), ("http://x", .invalidTarget), ("sip:b@nowhere.example", .unreachable),
            ("sips:bob@192.0.2.2", .unreachable), ("sip:ghost@192.0.2.77", .unreachable),
        ])
    func invalidTargetsAreRejected(_ target: String, _ end: EndReason) {
        var world = World()
        world.add(Calls.direct("alice"))
        world.command(0, .dial(CallID(.phone, 1), target: target, account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(60))
        #expect(world.ends(0, CallID(.phone, 1)) == [end])
    }

    @Test("a far end that vanishes in a call is detected, and the leg ends within the BYE's time")
    func farEndThatVanishesInCallIsDetectedAndLegEndsWithinBYETime() {
        var calls = Calls()
        calls.connect()
        calls.world.weather.lossPercent = 100
        let hungUp = calls.world.now
        calls.world.command(0, .end(calls.caller))
        calls.world.run(LineMachine.byeTimeout)
        #expect(calls.world.ends(0, calls.caller) == [.hungUpHere])
        #expect(calls.world.now - hungUp == LineMachine.byeTimeout)
        calls.world.command(1, .hold(calls.called, true))
        calls.world.run(.seconds(60))
        #expect(calls.world.ends(1, calls.called) == [.unreachable])
    }

    @Test("shutdown sends BYE in every call and finishes")
    func shutdownSendsBYEInEveryCallAndFinishes() {
        var calls = Calls()
        calls.connect()
        calls.world.command(0, .shutDown)
        calls.world.run(.seconds(1))
        #expect(calls.world.outputs(0).suffix(2) == [.event(.ended(calls.caller, .shutDown)), .finished])
        #expect(calls.world.ends(1, calls.called) == [.hungUpThere])
        calls.world.command(
            0, .dial(CallID(.phone, 2), target: "sip:bob@192.0.2.2", account: .direct, MediaEndpoint(port: 4_000)))
        #expect(calls.world.ends(0, CallID(.phone, 2)) == [.shutDown])
    }
}

extension World {
    /// The delay of each hold or resume of the leg.
    func delays(_ line: Int, _ leg: CallID) -> [Duration] {
        outputs(line).compactMap { if case .event(.holdDelayed(leg, let delay)) = $0 { delay } else { nil } }
    }

    func callerIdentity(_ line: Int) -> Caller? {
        outputs(line).lazy.compactMap { if case .event(.offered(_, let caller)) = $0 { caller } else { nil } }.first
    }
}
