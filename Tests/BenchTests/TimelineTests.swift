import Base
import Bench
import Testing

@Suite struct TimelineTests {
    @Test func linesAreSortedByTimeFromFirst() {
        var timeline = Timeline()
        timeline.note("second", who: "bob", at: Instant(nanoseconds: 5_250_000_000))
        timeline.note("first", who: "alice", at: Instant(nanoseconds: 3_000_000_000))
        #expect(timeline.lines() == ["    0.000 s  alice first", "    2.250 s  bob   second"])
    }

    @Test func listHoldsOnlyIfEveryEntryHolds() {
        var checks = CheckList()
        #expect(!checks.allHeld)
        checks.expect("one", true, "measured")
        #expect(checks.allHeld)
        checks.expect("another", false, "not so")
        #expect(!checks.allHeld)
        #expect(checks.lines == ["  ok    one      measured", "  FAIL  another  not so"])
    }
}
