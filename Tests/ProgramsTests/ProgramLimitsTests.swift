import Base
import Programs
import Testing

/// How many programs may run, and start.
@Suite struct ProgramLimitsTests {
    private let start = Instant(nanoseconds: 0)

    @Test func fourProgramsOfRuleRunTogether() {
        var limits = ProgramLimits()
        #expect((0..<6).map { _ in limits.admit(0, at: start) } == [nil, nil, nil, nil, .running, .running])
        #expect(limits.admit(1, at: start) == nil, "another rule is another matter")
        limits.ended(0)
        #expect(limits.admit(0, at: start) == nil)
        #expect(limits.started == 6 && limits.dropped == [.running: 2])
    }

    @Test func tenProgramsStartInOneSecond() {
        var limits = ProgramLimits()
        var started = 0
        for millisecond in 0..<2_000 {
            guard limits.admit(0, at: start + .milliseconds(millisecond)) == nil else { continue }
            started += 1
            limits.ended(0)
        }
        // The burst, and ten for each second.
        #expect((28...30).contains(started), "\(started)")
        #expect(limits.dropped[.rate] == 2_000 - started)
    }

    @Test func sixteenProgramsRunInTotal() {
        var limits = ProgramLimits()
        let verdicts = (0..<32).map { limits.admit($0 / 2, at: start + .milliseconds(100 * $0)) }
        #expect(verdicts.prefix(16).allSatisfy { $0 == nil } && verdicts.suffix(16).allSatisfy { $0 == .running })
    }

    @Test func droppedEventsAreReportedNowAndThen() {
        var limits = ProgramLimits()
        #expect(limits.takeUntold(at: start) == nil)
        for _ in 0..<7 { _ = limits.admit(0, at: start) }
        #expect(limits.takeUntold(at: start) == 3)
        for _ in 0..<5 { _ = limits.admit(0, at: start + .seconds(1)) }
        #expect(limits.takeUntold(at: start + .seconds(9)) == nil)
        #expect(limits.takeUntold(at: start + .seconds(10)) == 5)
    }
}
