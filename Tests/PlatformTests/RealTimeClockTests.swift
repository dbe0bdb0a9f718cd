import Platform
import Testing

@Suite("Real-time clock")
struct RealTimeClockTests {
    @Test(
        "a time is written in the usual format",
        arguments: [
            (0, [1970, 1, 1, 0, 0, 0], 4), (951_782_400, [2000, 2, 29, 0, 0, 0], 2),
            (1_709_251_199, [2024, 2, 29, 23, 59, 59], 4), (-1, [1969, 12, 31, 23, 59, 59], 3),
        ] as [(Int64, [Int], Int)])
    func timeIsWrittenInUsualFormat(_ seconds: Int64, _ parts: [Int], _ weekday: Int) throws {
        let time = try #require(CalendarTime(seconds * 1_000_000_000, in: .utc))
        #expect([time.year, time.month, time.day, time.hour, time.minute, time.second] == parts)
        #expect(time.weekday == weekday)
    }

    @Test("the clock advances")
    func goesOn() {
        let first = RealTimeClock.now()
        // A clock that was never set counts from 1970.
        #expect(first > 0 && RealTimeClock.now() - first < 60_000_000_000)
    }
}
