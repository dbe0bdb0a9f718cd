import Base
import Panel
import Testing

@Suite("Detection of a moved contact, in simulated time")
struct ContactPressTests {
    /// Watches for contacts whose lines rest at these levels; edges are milliseconds, line and level.
    private struct Watch {
        var press: ContactPress
        var levels: [Int: Bool]
        var now = Instant.zero

        init(_ levels: [Bool]) {
            self.levels = Dictionary(uniqueKeysWithValues: levels.enumerated().map { ($0, $1) })
            press = ContactPress(levels: self.levels)
        }

        /// - Parameter told: Whether the kernel reports the edge, or loses it.
        mutating func move(
            _ line: Int, to level: Bool, at milliseconds: Double, told: Bool = true
        ) -> ContactPress.Outcome {
            now = Instant(nanoseconds: Int64(milliseconds * 1_000_000))
            levels[line] = level
            let edges = told ? [LineEdge(line: line, active: level, at: now)] : []
            return press.looked(edges: edges, levels: levels, at: now)
        }

        mutating func rest() -> ContactPress.Outcome {
            now = now + ContactPress.stillness
            return press.looked(edges: [], levels: levels, at: now)
        }
    }

    @Test(
        "the resting level gives the polarity; nothing is found before all lines are still", arguments: [true, false])
    func restingLevelGivesPolarity(restsHigh: Bool) {
        var watch = Watch([restsHigh, true, false])
        #expect(watch.rest() == .waiting)
        #expect(watch.move(0, to: !restsHigh, at: 1_000) == .waiting)
        #expect(watch.rest() == .waiting)
        #expect(watch.move(0, to: restsHigh, at: 2_000) == .waiting)
        let found = LearntContact(line: 0, isHigh: !restsHigh, bounce: .zero, edges: 2)
        #expect(watch.rest() == .found(found))
        #expect(found.polarity == (restsHigh ? .activeLow : .activeHigh))
    }

    @Test("the longest burst of both is the bounce, and a fast tap is no burst")
    func longestBurstOfBothIsBounceAndFastTapIsNoBurst() {
        var watch = Watch([true])
        for (level, time) in [(false, 0), (true, 1.5), (false, 4), (true, 6), (false, 7.5)] {
            _ = watch.move(0, to: level, at: time)
        }
        _ = watch.move(0, to: true, at: 67)
        _ = watch.move(0, to: false, at: 68)
        _ = watch.move(0, to: true, at: 70)
        #expect(watch.rest() == .found(LearntContact(line: 0, isHigh: false, bounce: .microseconds(7_500), edges: 8)))
    }

    @Test(
        "debounce is twice the bounce in whole milliseconds, within limits",
        arguments: [
            (Duration.zero, 5), (.microseconds(2_400), 5), (.microseconds(2_501), 6), (.milliseconds(13), 26),
            (.milliseconds(99), 198), (.milliseconds(150), 200),
        ])
    func debounceIsTwiceBounceInWholeMillisecondsWithinLimits(bounce: Duration, milliseconds: Int) {
        let contact = LearntContact(line: 0, isHigh: true, bounce: bounce, edges: 2)
        #expect(contact.debounce(atLeast: .milliseconds(5)) == .milliseconds(milliseconds))
    }

    @Test("a line that only twitches is not the pressed one, and a twitch alone is nothing")
    func lineThatOnlyTwitchesIsNotPressedOneAndTwitchAloneIsNothing() {
        var watch = Watch([true, true])
        _ = watch.move(1, to: false, at: 0)
        _ = watch.move(1, to: true, at: 0.2)
        #expect(watch.rest() == .waiting)
        _ = watch.move(0, to: false, at: 1_000)
        _ = watch.move(1, to: false, at: 1_000.1)
        _ = watch.move(1, to: true, at: 1_000.4)
        _ = watch.move(0, to: true, at: 1_200)
        #expect(watch.rest() == .found(LearntContact(line: 0, isHigh: false, bounce: .zero, edges: 2)))
    }

    @Test("two lines that move together are reported by number")
    func twoLinesThatMoveTogetherAreReportedByNumber() {
        var watch = Watch([true, true, true])
        for line in [2, 0] { _ = watch.move(line, to: false, at: 100) }
        for line in [2, 0] { _ = watch.move(line, to: true, at: 300) }
        #expect(watch.rest() == .several([0, 2]))
    }

    @Test("a lost edge is recovered from the level")
    func lostEdgeIsRecoveredFromLevel() {
        var watch = Watch([true, true])
        _ = watch.move(1, to: false, at: 100, told: false)
        _ = watch.move(1, to: true, at: 300, told: false)
        #expect(watch.rest() == .found(LearntContact(line: 1, isHigh: false, bounce: .zero, edges: 2)))
    }

    @Test("an endlessly changing line is reported, and unwatched lines are ignored")
    func endlesslyChangingLineIsReportedAndUnwatchedLinesAreIgnored() {
        var watch = Watch([true, true])
        var outcome = ContactPress.Outcome.waiting
        for change in 0..<2_000 where outcome == .waiting {
            outcome = watch.move(1, to: !change.isMultiple(of: 2), at: Double(change) * 10)
        }
        #expect(outcome == .restless(1))
        var other = Watch([true])
        let edge = LineEdge(line: 7, active: false, at: .zero)
        #expect(other.press.looked(edges: [edge], levels: other.levels, at: .zero) == .waiting)
        #expect(other.rest() == .waiting)
    }
}
