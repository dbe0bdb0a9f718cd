import Base
import Programs
import Testing

/// How many programs may run, and start.
@Suite struct ProgramDeskTests {
    private let start = Instant(nanoseconds: 0)

    @Test func fourProgramsOfRuleRunTogether() {
        var desk = ProgramDesk()
        #expect((0..<6).map { _ in desk.admit(0, at: start) } == [nil, nil, nil, nil, .running, .running])
        #expect(desk.admit(1, at: start) == nil, "another rule is another matter")
        desk.ended(0)
        #expect(desk.admit(0, at: start) == nil)
        #expect(desk.started == 6 && desk.dropped == [.running: 2])
    }

    @Test func tenProgramsStartInOneSecond() {
        var desk = ProgramDesk()
        var started = 0
        for millisecond in 0..<2_000 {
            guard desk.admit(0, at: start + .milliseconds(millisecond)) == nil else { continue }
            started += 1
            desk.ended(0)
        }
        // The burst, and ten for each second.
        #expect((28...30).contains(started), "\(started)")
        #expect(desk.dropped[.rate] == 2_000 - started)
    }

    @Test func sixteenProgramsRunInTotal() {
        var desk = ProgramDesk()
        let verdicts = (0..<32).map { desk.admit($0 / 2, at: start + .milliseconds(100 * $0)) }
        #expect(verdicts.prefix(16).allSatisfy { $0 == nil } && verdicts.suffix(16).allSatisfy { $0 == .running })
    }

    @Test func droppedEventsAreReportedNowAndThen() {
        var desk = ProgramDesk()
        #expect(desk.takeUntold(at: start) == nil)
        for _ in 0..<7 { _ = desk.admit(0, at: start) }
        #expect(desk.takeUntold(at: start) == 3)
        for _ in 0..<5 { _ = desk.admit(0, at: start + .seconds(1)) }
        #expect(desk.takeUntold(at: start + .seconds(9)) == nil)
        #expect(desk.takeUntold(at: start + .seconds(10)) == 5)
    }
}
