import Base
import PhoneCore
import Testing

/// What is told of a transfer that the far end refuses, or accepts and does not make.
@Suite("A transfer that fails") struct FailedTransferTests {
    /// The other party and the target are told: `out-9` says nothing to a person.
    @Test(arguments: [true, false]) func itIsToldWithWhomAndToWhom(isAccepted: Bool) {
        var bench = Bench()
        bench.talk()
        bench.ask(.transfer(nil, to: "5550101"))
        bench.line(.transferSettled(Sample.first, accepted: isAccepted))
        if isAccepted { bench.line(.transferred(Sample.first, succeeded: false)) }
        #expect(bench.failedTransfers.map(\.to) == ["5550101"])
        #expect(bench.failedTransfers.map(\.call) == [Sample.first])
    }

    @Test func anAttendedOneNamesTheOtherParty() throws {
        var bench = Bench()
        bench.talkToTwo()
        let other = try #require(bench.summary(Sample.second))
        bench.ask(.connect(Sample.first, Sample.second))
        bench.line(.transferSettled(Sample.first, accepted: true))
        bench.line(.transferred(Sample.first, succeeded: false))
        #expect(bench.failedTransfers.map(\.to) == [other.name ?? other.number])
    }
}

extension Bench {
    fileprivate var failedTransfers: [(call: CallID, to: String)] {
        log.compactMap {
            if case .control(.notice(.transferFailed(let call, let target))) = $0 { (call.call, target) } else { nil }
        }
    }
}
