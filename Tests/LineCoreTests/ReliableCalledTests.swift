import Base
import LineCore
import SIPCore
import Testing

@Suite("Reliable provisional responses, as callee")
struct ReliableCalledTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    /// A ringing call of the stranger.
    private func ringing(
        body: String = Stranger.body, _ extra: [(SIPHeaderName, String)] = [(.require, "100rel")]
    ) -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.request(.invite, body: body, extra: extra).bytes, from: stranger)
        world.command(0, .alert(leg))
        world.run(.milliseconds(100))
        return world
    }

    private func prack(_ world: World, _ acknowledgement: String? = nil, sequence: UInt32 = 11, body: String = "")
        throws
        -> [UInt8]
    {
        let ringing = try #require(world.caughtResponses.first { $0.status == .ringing })
        let number = acknowledgement ?? "\(ringing.headers[.rSeq] ?? "") 10 INVITE"
        return stranger.request(
            .prack, sequence: sequence, branch: "z9hG4bK-p\(sequence)", toTag: world.tagForStranger, body: body,
            extra: [(.rAck, number)]
        ).bytes
    }

    private func times(_ world: World, _ status: Int) -> [Int64] {
        world.carried.compactMap { at, bytes in
            guard case .response(let response)? = try? SIPMessage(bytes.span), response.status.code == status else {
                return nil
            }
            return at.nanoseconds / 1_000_000
        }
    }

    @Test("a reliable 180 is repeated with doubled pauses; without PRACK the call is refused")
    func reliable180IsRepeatedWithDoubledPauses() throws {
        var world = ringing()
        let ringing = try #require(world.caughtResponses.last)
        #expect(try ringing.headers.tokens(.require) == ["100rel"])
        let number = try ringing.headers.rSeq?.number
        #expect(number.map { (1...CSeq.maximum).contains($0) } == true, "below 2^31 (RFC 3262 §3)")
        #expect(try ringing.headers.tokens(.allow).contains("PRACK") && ringing.headers.contains(.contact))
        world.command(0, .alert(leg))
        world.run(.seconds(40))
        let sent = times(world, 180)
        #expect(sent.map { $0 - sent[0] } == [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
        #expect(times(world, 504).first == sent[0] + 32_000)
        #expect(world.ends(0, leg) == [.unreachable])
    }

    @Test("PRACK is answered and stops the repetition; an unknown one is refused")
    func prackIsAnsweredAndStopsRepetitionUnknownOneIsRefused() throws {
        var world = ringing()
        world.receive(try prack(world), from: stranger)
        #expect(world.caughtStatuses.suffix(2) == [180, 200])
        world.receive(try prack(world, sequence: 12), from: stranger)
        #expect(world.caughtStatuses.last == 481)
        world.command(0, .alert(leg))
        world.run(.seconds(40))
        #expect(times(world, 180).count == 1)
        #expect(world.ends(0, leg).isEmpty)
    }

    @Test(
        "a PRACK for another response changes nothing",
        arguments: [("1 10 OPTIONS", 481), ("4000000000 10 INVITE", 481), ("", 400), ("x 10 INVITE", 400)])
    func prackForAnotherResponseChangesNothing(_ acknowledgement: String, _ status: Int) throws {
        var world = ringing()
        world.receive(try prack(world, acknowledgement), from: stranger)
        #expect(world.caughtStatuses.last == status)
        world.run(.seconds(1))
        #expect(times(world, 180).count == 2, "180 is still repeated")
    }

    @Test("an offer in an early PRACK is refused; the PRACK counts")
    func offerInEarlyPRACKIsRefusedPRACKCounts() throws {
        var world = ringing()
        world.receive(try prack(world, body: Stranger.body), from: stranger)
        #expect(world.caughtStatuses.last == 488)
        world.run(.seconds(10))
        #expect(times(world, 180).count == 1)
    }

    @Test("an answer does not wait for PRACK, which may follow")
    func answerDoesNotWaitForPRACKWhichMayFollow() throws {
        var world = ringing()
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        #expect(world.caughtStatuses.last == 200)
        world.receive(stranger.request(.ack, branch: "z9hG4bK-a", toTag: world.tagForStranger).bytes, from: stranger)
        world.run(.seconds(10))
        #expect(times(world, 180).count == 1, "a final response ends the repetition")
        for status in [200, 481] {
            world.receive(try prack(world, sequence: status == 200 ? 11 : 12), from: stranger)
            #expect(world.caughtStatuses.last == status)
        }
        #expect(world.agreed(0, leg) != nil && world.ends(0, leg).isEmpty)
    }

    @Test("after CANCEL or refusal 180 is not repeated")
    func afterCANCELOrRefusal180IsNotRepeated() throws {
        for isCancelled in [true, false] {
            var world = ringing()
            if isCancelled {
                var cancel = stranger.request(.cancel)
                cancel.headers[.contact] = nil
                world.receive(cancel.bytes, from: stranger)
            } else {
                world.command(0, .refuse(leg, .busy))
            }
            world.run(.seconds(40))
            #expect(times(world, 180).count == 1)
            #expect(world.ends(0, leg) == [isCancelled ? .cancelledThere : .refusedBusy])
            #expect(world.lines[0].deadline == nil)
        }
    }

    @Test("180 is unreliable for callers that do not require it, and the offer goes with the answer if they sent none")
    func notReliable() throws {
        let plain = ringing([(.supported, "100rel")])
        #expect(plain.caughtResponses.last?.status == .ringing)
        #expect(plain.caughtResponses.last?.headers.contains(.rSeq) == false)
        var late = ringing(body: "")
        late.run(.seconds(1))
        #expect(late.caughtStatuses == [100])
        late.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        late.run(.milliseconds(100))
        #expect(late.caughtStatuses.last == 200 && late.caughtMessages.last?.body.isEmpty == false)
    }

    @Test("two lines ring reliably through a proxy that requires it, whatever is lost", arguments: 1...12)
    func twoLinesRingReliablyThroughProxyThatRequiresIt(lost: Int) {
        var calls = Calls()
        calls.world.meddle = { message in message.inInvite { $0.set(.require, tokens: ["100rel"]) } }
        calls.world.losing = [lost]
        calls.connect()
        #expect(calls.world.outputs(0).contains(.event(.ringing(calls.caller))))
        #expect(!calls.world.requests(.prack).isEmpty)
        #expect(calls.world.agreed(0, calls.caller) != nil && calls.world.agreed(1, calls.called) != nil)
        calls.world.command(0, .end(calls.caller))
        calls.world.run(.seconds(100))
        #expect(calls.world.ends(0, calls.caller) == [.hungUpHere])
        #expect(calls.world.ends(1, calls.called) == [.hungUpThere])
        #expect(calls.world.lines.allSatisfy { $0.deadline == nil })
    }
}
