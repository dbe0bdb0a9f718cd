import Base
import Glibc
import Media
import Testing

@Suite("Voice send errors")
struct SendWatchTests {
    private let start = Instant(nanoseconds: 5_000_000_000)

    /// A packet each 20 ms for so long; the reports, with the number of the packet.
    private func run(_ watch: inout SendWatch, _ faults: [Int32?], from first: Int = 0) -> [(Int, SendWatch.Change)] {
        faults.enumerated().compactMap { index, fault in
            let at = start + .milliseconds(20 * (first + index))
            return watch.packet(fault, at: at).map { (first + index, $0) }
        }
    }

    @Test("a fault is reported once after a second with the last reason, and its end once")
    func faultIsReportedOnceAfterSecondWithLastReasonAndItsEndOnce() {
        var watch = SendWatch()
        let down = [Int32?](repeating: ENETUNREACH, count: 30) + [Int32?](repeating: EHOSTUNREACH, count: 70)
        let changes = run(&watch, down + [nil, nil, nil])
        #expect(changes.map(\.0) == [50, 100])
        #expect(changes.map(\.1) == [.failing(EHOSTUNREACH), .sending])
        #expect(run(&watch, down, from: 103).map(\.1) == [.failing(EHOSTUNREACH)], "and the next time, too")
    }

    @Test("partial sending is no fault")
    func partialSendingIsNoFault() {
        var watch = SendWatch()
        let busy: [Int32?] = (0..<500).map { $0 % 40 == 0 ? nil : ENOBUFS }
        #expect(run(&watch, busy).isEmpty)
        #expect(run(&watch, [nil], from: 500).isEmpty)
    }
}
