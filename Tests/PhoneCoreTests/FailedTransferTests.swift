import Base
import PhoneCore
import Testing

/// The report of a transfer that the far end refuses, or accepts without completing it.
@Suite("Failed transfers") struct FailedTransferTests {
    /// The report names the other party and the target: `out-9` means nothing to a person.
    @Test(arguments: [true, false]) func failureNamesPartyAndTarget(isAccepted: Bool) {
        var bench = Bench()
        bench.talk()
        bench.ask(.transfer(nil, to: "5550101"))
        bench.line(.transferSettled(Sample.first, accepted: isAccepted))
        if isAccepted { bench.line(.transferred(Sample.first, succeeded: false)) }
        #expect(bench.failedTransfers.map(\.to) == ["5550101"])
        #expect(bench.failedTransfers.map(\.call) == [Sample.first])
    }

    @Test func failedAttendedTransferNamesOtherParty() throws {
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
