import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// The negotiation of one call, without a line around it.
@Suite("Offer and answer, as a unit")
struct OfferAnswerTests {
    /// A dialled call, and a far end that negotiates with the same code.
    private struct Desk {
        var bench = PartBench(nil)
        var offerAnswer: OfferAnswer
        var dialog: Dialog
        var far: MediaNegotiation

        init(interval: UInt32? = nil, allowsUpdate: Bool = false) throws {
            var generator = SeededGenerator(seed: 3)
            let media = bench.context.configuration.media
            var own = MediaNegotiation(
                capabilities: media, local: MediaAddress(host: "192.0.2.1", port: 4_000), using: &generator)
            far = MediaNegotiation(
                capabilities: media, local: MediaAddress(host: "192.0.2.9", port: 5_000), using: &generator)
            let answer = try far.answer(to: own.offer(held: false, using: &generator), held: false, using: &generator)
            _ = try own.conclude(answer.description)
            let (us, them) = (try URI("sip:alice@192.0.2.1"), try URI("sip:bob@192.0.2.9"))
            let invite = SIPRequest(
                .invite, them, from: NameAddress(us, tag: "us"), to: NameAddress(them), callID: "call", sequence: 1)
            dialog = try Dialog(
                sending: invite,
                receiving: PartBench.response(.ok, to: invite, [(.contact, "<sip:bob@192.0.2.9>")]))
            let session = interval.map { SessionTimer(interval: $0, refresher: .here, refreshed: .zero) }
            offerAnswer = OfferAnswer(
                own, contact: NameAddress(us), session: session, allowsUpdate: allowsUpdate, isCaller: true,
                awaitsACK: false, at: .zero)
        }

        mutating func want(held: Bool) -> [OfferAnswer.Effect] { offerAnswer.want(PendingReoffer(held: held)) }

        /// Our offer leaves over a found path.
        mutating func offer() -> SIPRequest? {
            offerAnswer.offer(over: PartBench.server, in: &dialog, context: &bench.context)
        }

        /// Our offer, which leaves.
        mutating func sent() throws -> SIPRequest {
            let request = offer()
            return try #require(request)
        }

        /// The far end accepts our offer.
        mutating func accept(_ request: SIPRequest) throws -> [OfferAnswer.Effect] {
            var generator = SeededGenerator(seed: 4)
            var response = PartBench.response(.ok, to: request, [(.contentType, "application/sdp")])
            response.body = try far.answer(
                to: SessionDescription(parsing: request.body), held: false, using: &generator
            ).description.bytes
            return offerAnswer.accepted(response, context: bench.context, at: bench.now)
        }

        mutating func reject(_ status: SIPStatus, _ request: SIPRequest, _ headers: [(SIPHeaderName, String)] = [])
            -> [OfferAnswer.Effect]
        {
            offerAnswer.rejected(
                PartBench.response(status, to: request, headers), context: &bench.context, at: bench.now)
        }

        /// A re-INVITE of the far end that holds us.
        mutating func reinvite() throws -> SIPRequest {
            var generator = SeededGenerator(seed: 5)
            var request = try PartBench.request(
                .invite, in: dialog.id, sequence: 9, [(.contentType, "application/sdp")])
            request.body = far.offer(held: true, using: &generator).bytes
            return request
        }

        mutating func deadline() throws -> [OfferAnswer.Effect] {
            bench.now = try #require(offerAnswer.deadline)
            return offerAnswer.deadlineReached(at: bench.now)
        }
    }

    @Test("a hold leaves over a found path and is settled by the answer")
    func holdLeavesOverFoundPathAndIsSettledByAnswer() throws {
        var desk = try Desk()
        #expect(desk.want(held: true) == [.locate])
        let request = try desk.sent()
        #expect(request.method == .invite && String(decoding: request.body, as: UTF8.self).contains("a=sendonly"))
        let effects = try desk.accept(request)
        guard case .settled(PendingReoffer(held: true), let agreed?) = try #require(effects.first) else {
            Issue.record("\(effects)")
            return
        }
        #expect(effects.count == 1 && agreed == desk.offerAnswer.agreed)
        #expect(desk.want(held: true) == [.settled(PendingReoffer(held: true), agreed)], "it is held already")
    }

    @Test("requests during an offer share the next offer")
    func requestsDuringOfferShareNextOffer() throws {
        var desk = try Desk()
        _ = desk.want(held: true)
        let first = try desk.sent()
        #expect(desk.want(held: false).isEmpty && desk.offerAnswer.want(PendingReoffer(.refreshes)).isEmpty)
        #expect(try desk.accept(first).last == .locate)
        let second = try desk.sent()
        let effects = try desk.accept(second)
        #expect(effects.count == 1)
        guard case .settled(PendingReoffer(held: false, .refreshes), _?) = try #require(effects.first) else {
            Issue.record("\(effects)")
            return
        }
    }

    @Test("after 491 the Call-ID's owner repeats its offer after 2.1 to 4 seconds")
    func after491CallIDOwnerRepeatsItsOfferAfter21To4Seconds() throws {
        var desk = try Desk()
        let before = desk.offerAnswer.agreed
        _ = desk.want(held: true)
        let effects = desk.reject(.requestPending, try desk.sent())
        guard case .delayed(PendingReoffer(held: true), let pause) = try #require(effects.first) else {
            Issue.record("\(effects)")
            return
        }
        #expect(pause >= .milliseconds(2_100) && pause <= .seconds(4) && desk.offerAnswer.agreed == before)
        #expect(try desk.deadline() == [.locate] && desk.bench.now == Instant.zero + pause)
    }

    @Test("a far end that is never ready is abandoned after three tries")
    func farEndThatIsNeverReadyIsAbandonedAfterThreeTries() throws {
        var desk = try Desk()
        _ = desk.want(held: true)
        for _ in 0..<3 {
            let effects = desk.reject(.serviceUnavailable, try desk.sent(), [(.retryAfter, "2")])
            #expect(effects == [.delayed(PendingReoffer(held: true), by: .seconds(2))])
            #expect(try desk.deadline() == [.locate])
        }
        let effects = desk.reject(.serviceUnavailable, try desk.sent(), [(.retryAfter, "2")])
        #expect(effects == [.settled(PendingReoffer(held: true), nil)])
    }

    @Test(
        "a silent far end has left, unless it was just heard or this end has moved", arguments: [false, true])
    func silentFarEndHasLeftUnlessItWasJustHeardOrThisEndHasMoved(_ moves: Bool) throws {
        var desk = try Desk()
        _ = desk.offerAnswer.want(PendingReoffer(held: true, moves ? .moves : []))
        _ = desk.offer()
        let effects = desk.offerAnswer.unanswered(.silent, at: .zero)
        #expect(effects == (moves ? [.settled(PendingReoffer(held: true, .moves), nil)] : [.end(.unreachable)]))
    }

    @Test("of crossing offers the far end's is refused, and silence to ours ends nothing")
    func ofCrossingOffersFarEndIsRefusedAndSilenceToOursEndsNothing() throws {
        var desk = try Desk()
        _ = desk.want(held: true)
        _ = desk.offer()
        let theirs = try desk.reinvite()
        #expect { try desk.offerAnswer.accept(theirs, context: &desk.bench.context, at: .zero) } throws: {
            ($0 as? RequestRefusal)?.status == .requestPending
        }
        #expect(desk.offerAnswer.unanswered(.silent, at: .zero) == [.settled(PendingReoffer(held: true), nil)])
    }

    @Test("when the far end holds us, nothing is sent until its ACK")
    func whenFarEndHoldsUsNothingIsSentUntilItsACK() throws {
        var desk = try Desk()
        let request = try desk.reinvite()
        let response = try desk.offerAnswer.accept(request, context: &desk.bench.context, at: .zero)
        #expect(response.status == .ok && String(decoding: response.body, as: UTF8.self).contains("a=recvonly"))
        #expect(desk.offerAnswer.agreed?.heldByFarEnd == true)
        #expect(desk.want(held: true).isEmpty)
        #expect(desk.offerAnswer.acknowledged(nil) == [.locate])
    }

    @Test("without a path the terms stay, and the requester gets a failure")
    func withoutPathTermsStayAndRequesterGetsFailure() throws {
        var desk = try Desk()
        let before = desk.offerAnswer.agreed
        _ = desk.want(held: true)
        #expect(desk.offerAnswer.notLocated(at: desk.bench.now) == [.settled(PendingReoffer(held: true), nil)])
        #expect(desk.offerAnswer.agreed == before && desk.offer() == nil)
    }

    @Test(
        "a move without a path is retried each second, and other requests fail",
        arguments: [true, false])
    func moveWithoutPathIsRetriedEachSecondAndOtherRequestsFail(_ isLocated: Bool) throws {
        var desk = try Desk()
        _ = desk.offerAnswer.want(PendingReoffer(held: true, .moves))
        if isLocated { _ = desk.offer() }
        let effects =
            isLocated
            ? desk.offerAnswer.unanswered(.unsent, at: desk.bench.now) : desk.offerAnswer.notLocated(at: desk.bench.now)
        #expect(effects == [.settled(PendingReoffer(held: true), nil)])
        #expect(desk.offerAnswer.deadline == desk.bench.now + .seconds(1))
        #expect(try desk.deadline() == [.locate])
        #expect(desk.offerAnswer.notLocated(at: desk.bench.now).isEmpty)
        #expect(try desk.deadline() == [.locate])
        let moved = try desk.accept(try desk.sent())
        guard case .settled(PendingReoffer(.moves), _?) = try #require(moved.first) else {
            Issue.record("\(moved)")
            return
        }
    }

    @Test("a session is refreshed at half its time, by UPDATE if the far end supports it", arguments: [true, false])
    func sessionIsRefreshedAtHalfItsTimeByUPDATEIfFarEndSupportsIt(_ allowsUpdate: Bool) throws {
        var desk = try Desk(interval: 90, allowsUpdate: allowsUpdate)
        #expect(try desk.deadline() == [.locate])
        #expect(desk.bench.now == Instant.zero + .seconds(45))
        let request = try desk.sent()
        #expect(request.method == (allowsUpdate ? .update : .invite))
        #expect(request.body.isEmpty == allowsUpdate)
        #expect(request.headers[.sessionExpires] == "90;refresher=uac")
    }

    @Test("terms changed by a refresh are reported", arguments: [true, false])
    func termsChangedByRefreshAreReported(changes: Bool) throws {
        var desk = try Desk(interval: 90)
        #expect(try desk.deadline() == [.locate])
        let request = try desk.sent()
        if changes { desk.far.move(to: "192.0.2.99") }
        let told = try desk.accept(request).compactMap { effect -> String? in
            if case .renegotiated(let agreed) = effect { agreed.media.remote.host } else { nil }
        }
        #expect(told == (changes ? ["192.0.2.99"] : []))
    }

    @Test("an unrefreshed session ends the call before a proxy does")
    func unrefreshedSessionEndsCallBeforeProxyDoes() throws {
        var desk = try Desk(interval: 90)
        var effects: [OfferAnswer.Effect] = []
        while effects != [.end(.unreachable)] {
            effects = try desk.deadline()
            if effects == [.locate] { _ = desk.offerAnswer.notLocated(at: desk.bench.now) }
            #expect(desk.bench.now < Instant.zero + .seconds(90))
        }
        #expect(desk.bench.now == Instant.zero + .seconds(60))
    }
}
