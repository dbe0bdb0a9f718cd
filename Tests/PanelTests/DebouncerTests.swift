import Base
import Panel
import Testing

@Suite("Debouncer")
struct DebouncerTests {
    private func ms(_ count: Int) -> Instant { .zero + .milliseconds(count) }

    /// The output of a debouncer with timely edges for a signal of one bit a millisecond: level and time of each
    /// change.
    private func changes(_ signal: [Bool], activation: Int, deactivation: Int) -> [Int: Bool] {
        var contact = Debouncer(
            level: false, activation: .milliseconds(activation), deactivation: .milliseconds(deactivation))
        var changes: [Int: Bool] = [:]
        var raw = false
        for (time, level) in signal.enumerated() {
            if level != raw, let reached = contact.edge(to: level, at: ms(time)) { changes[time] = reached }
            raw = level
            if let reached = contact.sample(level, at: ms(time)) { changes[time] = reached }
        }
        return changes
    }

    /// The changes by definition: the level changes when the signal has been different for as long as it takes.
    private func definition(_ signal: [Bool], activation: Int, deactivation: Int) -> [Int: Bool] {
        var (level, different) = (false, 0)
        var changes: [Int: Bool] = [:]
        for (time, raw) in signal.enumerated() {
            if different >= (level ? deactivation : activation) {
                (level, different) = (!level, 0)
                changes[time] = level
            }
            different = raw == level ? 0 : different + 1
        }
        return changes
    }

    @Test("every signal of 14 ms follows the definition", arguments: [(3, 3), (2, 4), (1, 1), (5, 2)])
    func everySignalOf14MsFollowsDefinition(_ activation: Int, _ deactivation: Int) {
        for bits in 0..<1 << 14 {
            let signal = (0..<14).map { bits >> $0 & 1 == 1 }
            let expected = definition(signal, activation: activation, deactivation: deactivation)
            let found = changes(signal, activation: activation, deactivation: deactivation)
            guard found == expected else {
                Issue.record("signal \(signal): \(found), not \(expected)")
                return
            }
        }
    }

    @Test("a late thread reports the same changes in the same order")
    func lateThreadReportsSameChangesInSameOrder() {
        for bits in 0..<1 << 14 {
            let signal = (0..<14).map { bits >> $0 & 1 == 1 }
            var contact = Debouncer(level: false, activation: .milliseconds(3), deactivation: .milliseconds(2))
            var told: [Bool] = []
            var raw = false
            for (time, level) in signal.enumerated() where level != raw {
                raw = level
                if let reached = contact.edge(to: level, at: ms(time)) { told.append(reached) }
            }
            if let reached = contact.sample(raw, at: ms(13)) { told.append(reached) }
            let inTime = changes(signal, activation: 3, deactivation: 2).sorted { $0.key < $1.key }.map(\.value)
            guard told == inTime else {
                Issue.record("signal \(signal): \(told), not \(inTime)")
                return
            }
        }
    }

    @Test("an edge to the expected level means a lost edge: the wait restarts")
    func edgeToExpectedLevelMeansLostEdgeWaitRestarts() {
        var contact = Debouncer(level: false, activation: .milliseconds(30), deactivation: .milliseconds(30))
        #expect(contact.edge(to: true, at: ms(0)) == nil)
        #expect(contact.edge(to: true, at: ms(10)) == nil)
        #expect(contact.deadline == ms(40))
        let atThirty = contact.sample(true, at: ms(30))
        #expect(atThirty == nil)
        let atForty = contact.sample(true, at: ms(40))
        #expect(atForty == true)
        #expect(contact.level)
        #expect(contact.deadline == nil)
    }

    @Test("with all edges lost the level is believed after its time")
    func withAllEdgesLostLevelIsBelievedAfterItsTime() {
        var contact = Debouncer(level: true, activation: .milliseconds(10), deactivation: .milliseconds(20))
        let found = [0, 5, 19, 20, 25].map { contact.sample(false, at: ms($0)) }
        #expect(found == [nil, nil, nil, false, nil])
    }

    @Test("without a debounce time every change is reported at once")
    func withoutDebounceTimeEveryChangeIsReportedAtOnce() {
        var contact = Debouncer(level: false, activation: .zero, deactivation: .zero)
        let first = contact.sample(true, at: ms(1))
        let second = contact.sample(false, at: ms(1))
        #expect(first == true)
        #expect(second == false)
    }
}
