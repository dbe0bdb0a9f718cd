import Base
import Panel
import PhoneCore
import Testing

@Suite("Output patterns")
struct OutputPatternTests {
    private let start = Instant.zero + .seconds(1000)

    /// How many milliseconds it is on, then off, and so on, over two seconds.
    private func runs(_ pattern: OutputPattern) -> [Int] {
        var runs = [0]
        var level = true
        for millisecond in 0..<2000 {
            let now = start + .milliseconds(millisecond)
            if pattern.isOn(at: now) != level {
                level.toggle()
                runs.append(0)
            }
            runs[runs.count - 1] += 1
        }
        return runs
    }

    @Test(
        "a lamp shows its pattern",
        arguments: [
            (LampPattern.on, [2000]), (.off, [0, 2000]), (.slowBlink, [500, 500, 500, 500]),
            (.fastBlink, Array(repeating: 125, count: 16)), (.flutter, [100, 100, 100, 700, 100, 100, 100, 700]),
        ])
    func lampShowsItsPattern(_ pattern: LampPattern, _ expected: [Int]) {
        #expect(runs(OutputPattern(pattern, at: start)) == expected)
    }

    @Test("a bell has its cadence and silence")
    func bellHasItsCadenceAndSilence() {
        let britain = RingCadence([.milliseconds(400), .milliseconds(200), .milliseconds(400), .milliseconds(2000)])
        #expect(runs(OutputPattern(britain, at: start)) == [400, 200, 400, 1000])
        #expect(runs(OutputPattern(RingCadence?.none, at: start)) == [0, 2000])
    }

    @Test(
        "the next change is where the level changes, from any time, and never now",
        arguments: [
            LampPattern.slowBlink, .fastBlink, .flutter,
        ])
    func nextChangeIsWhereLevelChangesFromAnyTimeAndNeverNow(_ lamp: LampPattern) throws {
        let pattern = OutputPattern(lamp, at: start)
        for millisecond in 0..<2500 {
            let now = start + .milliseconds(millisecond)
            let next = try #require(pattern.nextChange(after: now))
            #expect(next > now)
            #expect(pattern.isOn(at: next) != pattern.isOn(at: now))
            #expect(pattern.isOn(at: next - .nanoseconds(1)) == pattern.isOn(at: now))
        }
    }

    @Test("a constant pattern has no next change")
    func constantPatternHasNoNextChange() {
        #expect(OutputPattern(LampPattern.on, at: start).nextChange(after: start) == nil)
        #expect(OutputPattern(LampPattern.off, at: start).nextChange(after: start) == nil)
        #expect(OutputPattern(RingCadence?.none, at: start).nextChange(after: start) == nil)
    }

    @Test("a relay's pulse ends once and for good")
    func relayPulseEndsOnceAndForGood() {
        let end = start + .milliseconds(300)
        let pulse = OutputPattern(.pulse(1, until: end), at: start)
        #expect(runs(pulse) == [300, 1700])
        #expect(pulse.nextChange(after: start) == end)
        #expect(pulse.nextChange(after: end) == nil)
        let later = OutputPattern(.pulse(1, until: end + .milliseconds(1)), at: start)
        #expect(!pulse.looksLike(later), "a pulse that is ordered again takes the later end")
        let old = OutputPattern(.pulse(1, until: start), at: start)
        #expect(runs(old) == [0, 2000], "an order that comes after the end does nothing")
    }

    @Test("a pattern does not drift in a year")
    func patternDoesNotDriftInYear() {
        let pattern = OutputPattern(LampPattern.fastBlink, at: start)
        let later = start + .seconds(365 * 86_400)
        #expect(pattern.isOn(at: later))
        #expect(!pattern.isOn(at: later - .nanoseconds(1)))
    }
}
