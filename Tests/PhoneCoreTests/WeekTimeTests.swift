import PhoneCore
import Testing

@Suite struct WeekTimeTests {
    /// A week begins on Monday at 00:00, and has 10,080 minutes.
    @Test func weekHasItsMinutesOnly() {
        #expect(WeekTime(rawValue: 0) == WeekTime(.monday, minute: 0))
        #expect(WeekTime(rawValue: 10_079) == WeekTime(.sunday, minute: 1_439))
        #expect(WeekTime(rawValue: -1) == nil && WeekTime(rawValue: 10_080) == nil)
    }
}
