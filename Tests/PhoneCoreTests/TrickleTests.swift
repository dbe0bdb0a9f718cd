import Base
import PhoneCore
import Testing

/// Candidates of this phone that are found after a call's sockets were opened. They go into our offer or answer, or
/// follow it.
@Suite struct TrickleTests {
    private static let others = ["2 1 UDP 1694498815 203.0.113.7 40000 typ srflx"]

    /// - Parameter isComplete: whether no candidate follows.
    private static func endpoint(_ candidates: [String] = [], isComplete: Bool = false) -> MediaEndpoint {
        var ice = Sample.ice
        ice.candidates += candidates
        return MediaEndpoint(
            port: 40_000, ice: LocalICE(ice, isOffered: true, isIncomplete: isComplete ? nil : true))
    }

    private static func isTold(_ bench: Bench, _ call: CallID, isLast: Bool = false) -> Bool {
        bench.log.filter { if case .line(.candidates) = $0 { true } else { false } }
            == [.line(.candidates(call, others, isLast: isLast))]
    }

    private static func ringing() -> Bench {
        var bench = Bench()
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer(opened: false)
        bench.media(.opened(Sample.first, Sample.trickling))
        return bench
    }

    private static func answering() -> Bench {
        var bench = ringing()
        bench.lift()
        bench.forget()
        return bench
    }

    private static func talking(holds: Bool = false) -> Bench {
        var bench = answering()
        bench.connect()
        if holds { bench.holdFirst() }
        bench.forget()
        return bench
    }

    // MARK: Before our offer or answer

    @Test(arguments: [false, true])
    func candidatesFoundWhileRingingAreInAnswer(isLast: Bool) {
        var bench = Self.ringing()
        bench.media(.candidates(Sample.first, Self.others, isLast: isLast))
        bench.lift()
        let endpoint = Self.endpoint(Self.others, isComplete: isLast)
        #expect(bench.did(.answer(Sample.first, endpoint, awaitingACK: false)))
        #expect(!Self.isTold(bench, Sample.first, isLast: isLast))
    }

    /// The person has answered, and the line is not ready.
    @Test func candidatesFoundBeforeAnswerLeavesAreInIt() {
        var bench = Self.ringing()
        bench.line(.registration(.direct, .failed("timeout")))
        bench.lift()
        #expect(bench.phase() == .connecting)
        bench.media(.candidates(Sample.first, Self.others, isLast: true))
        #expect(!Self.isTold(bench, Sample.first, isLast: true))
        bench.line(.registration(.direct, .registered))
        let endpoint = Self.endpoint(Self.others, isComplete: true)
        #expect(bench.did(.answer(Sample.first, endpoint, awaitingACK: false)))
    }

    @Test func candidatesFoundBeforeOfferLeavesAreInIt() {
        var bench = Bench()
        bench.line(.registration(.direct, .registering))
        bench.ask(.dial("5550100", account: nil))
        bench.media(.candidates(Sample.dialled, ["9"], isLast: false))
        bench.media(.opened(Sample.dialled, Sample.trickling))
        bench.media(.candidates(Sample.dialled, Self.others, isLast: false))
        bench.line(.registration(.direct, .registered))
        let endpoint = Self.endpoint(Self.others)
        #expect(bench.did(.dial(Sample.dialled, target: "5550100", account: .direct, endpoint)))
    }

    /// A complete end has no more candidates, and no end has more than a description may hold.
    @Test func candidatesInDescriptionAreBounded() {
        var bench = Self.ringing()
        bench.media(.candidates(Sample.first, Self.others, isLast: true))
        bench.media(.candidates(Sample.first, ["9"], isLast: false))
        bench.lift()
        #expect(
            bench.did(.answer(Sample.first, Self.endpoint(Self.others, isComplete: true), awaitingACK: false)))
        bench = Self.ringing()
        for number in 0..<100 { bench.media(.candidates(Sample.first, ["\(number)"], isLast: false)) }
        bench.lift()
        let named = bench.log.lazy.compactMap { effect -> Int? in
            if case .line(.answer(_, let endpoint, _)) = effect {
                endpoint.ice?.description.candidates.count
            } else {
                nil
            }
        }.first
        #expect(named == 64)
    }

    // MARK: Afterwards

    @Test(arguments: [false, true])
    func candidatesFoundAfterOfferAreTrickled(isLast: Bool) {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        bench.media(.opened(Sample.dialled, Sample.trickling))
        for step in [nil, LineEvent.offerSent(Sample.dialled), .answered(Sample.dialled, Sample.plan)] {
            if let step { bench.line(step) }
            bench.forget()
            bench.media(.candidates(Sample.dialled, Self.others, isLast: isLast))
            #expect(Self.isTold(bench, Sample.dialled, isLast: isLast))
        }
    }

    @Test func candidatesFoundAfterAnswerAreTrickled() {
        for var bench in [Self.answering(), Self.talking(), Self.talking(holds: true)] {
            bench.media(.candidates(Sample.first, Self.others, isLast: false))
            #expect(Self.isTold(bench, Sample.first))
        }
        var bench = Self.answering()
        bench.line(.answered(Sample.first, Sample.plan))
        bench.forget()
        bench.media(.candidates(Sample.first, [], isLast: true))
        #expect(bench.did(.candidates(Sample.first, [], isLast: true)))
    }

    /// A path may be lost before all candidates are gathered. A moving call sends all its candidates again.
    @Test func movingCallTricklesNothing() {
        var bench = Self.talking()
        bench.network(.none)
        bench.run(.milliseconds(500))
        #expect(bench.phase() == .reconnecting)
        bench.forget()
        bench.media(.candidates(Sample.first, Self.others, isLast: false))
        #expect(Self.isTold(bench, Sample.first))
        bench.network(NetworkPath(.wifi, addresses: ["198.51.100.2"]))
        bench.run(.milliseconds(500))
        #expect(bench.phase() == .reconnecting)
        bench.forget()
        bench.media(.candidates(Sample.first, Self.others, isLast: false))
        #expect(!Self.isTold(bench, Sample.first))
    }

    @Test func endedCallTricklesNothing() {
        var bench = Self.talking()
        bench.ask(.hangUp(nil))
        #expect(bench.phase() == .disconnecting)
        bench.forget()
        bench.media(.candidates(Sample.first, Self.others, isLast: false))
        bench.media(.candidates(Sample.third, Self.others, isLast: false))
        #expect(bench.log.isEmpty)
    }
}
