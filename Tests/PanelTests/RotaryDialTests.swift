import Base
import Panel
import PhoneCore
import Testing

@Suite("Rotary dial")
struct RotaryDialTests {
    private func digit(_ pulses: Int) -> DTMFSymbol { DialMap.standard.digit(pulses: pulses) }

    private static let manners = [true, false].flatMap { hasOffNormal in
        [(8, 60), (8, 67), (10, 60), (10, 62), (10, 67), (11, 60), (11, 67)].map { speed, percent in
            DialSignal.Manner(pulsesPerSecond: speed, brokenPercent: percent, hasOffNormal: hasOffNormal)
        }
    }

    @Test("every digit is read at 8, 10 and 11 pulses a second, with 60 to 67 % break", arguments: manners)
    func everyDigitIsReadAt810And11PulsesSecondWith60To67Break(_ manner: DialSignal.Manner) {
        for pulses in 1...10 {
            for seed in 0..<20 as Range<UInt64> {
                var signal = DialSignal(seed: seed)
                signal.dial(pulses, manner)
                for lag in [Duration.zero, .milliseconds(5), .milliseconds(300)] {
                    var bench = DialBench(hasOffNormal: manner.hasOffNormal, lag: lag, seed: seed)
                    bench.play(signal.moves)
                    #expect(bench.digits == [digit(pulses)], "seed \(seed)")
                    #expect(bench.dial.faults == 0)
                    #expect(bench.dial.deadline == nil)
                }
            }
        }
    }

    @Test("whole numbers are read, with 800 ms between digits", arguments: manners)
    func wholeNumbersAreReadWith800MsBetweenDigits(_ manner: DialSignal.Manner) {
        for seed in 0..<10 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let number = (0..<12).map { _ in Int.random(in: 1...10, using: &generator) }
            var signal = DialSignal(seed: seed)
            for pulses in number {
                signal.dial(pulses, manner)
                signal.pause(.milliseconds(800))
            }
            var bench = DialBench(hasOffNormal: manner.hasOffNormal, lag: .milliseconds(2), seed: seed)
            bench.play(signal.moves)
            #expect(bench.digits == number.map(digit), "seed \(seed)")
            #expect(bench.dial.faults == 0)
        }
    }

    @Test(
        "maps translate pulses to digits",
        arguments: [
            ("standard", "1234567890"), ("sweden", "0123456789"), ("new-zealand", "9876543210"),
            ("3141592608", nil), ("31415926", nil), ("9081726354", "9081726354"), ("12345678*0", nil), ("", nil),
        ] as [(String, String?)])
    func mapsTranslatePulsesToDigits(_ text: String, _ expected: String?) throws {
        guard let expected else {
            #expect(DialMap(text) == nil)
            return
        }
        let map = try #require(DialMap(text))
        for (index, character) in expected.enumerated() {
            var signal = DialSignal(seed: 5)
            signal.dial(index + 1)
            var bench = DialBench(map: map)
            bench.play(signal.moves)
            let digit = try #require(DTMFSymbol(character))
            #expect(bench.digits == [digit])
            #expect(map.pulses(of: digit) == index + 1)
        }
        #expect(map.pulses(of: .star) == nil)
    }

    @Test(
        "more than ten pulses, or none, are one fault and no digit; the next digit is right", arguments: [true, false])
    func moreThanTenPulsesOrNoneAreOneFaultAndNoDigit(_ hasOffNormal: Bool) {
        let manner = DialSignal.Manner(hasOffNormal: hasOffNormal)
        for pulses in [11, 12, 20, 21] + (hasOffNormal ? [0] : []) {
            var signal = DialSignal(seed: 1)
            signal.dial(pulses, manner)
            signal.pause(.milliseconds(800))
            signal.dial(4, manner)
            var bench = DialBench(hasOffNormal: hasOffNormal)
            bench.play(signal.moves)
            #expect(bench.digits == [.four], "\(pulses) pulses")
            #expect(bench.dial.faults == 1)
        }
    }

    @Test(
        "a digit is reported when the dial rests, or after the configured silence",
        arguments: [150, 200, 700])
    func digitIsReportedWhenDialRestsOrAfterConfiguredSilence(_ silence: Int) throws {
        let timing = DialTiming(silence: .milliseconds(silence))
        var manner = DialSignal.Manner(hasOffNormal: false, bounces: false)
        var signal = DialSignal(seed: 1)
        signal.dial(1, manner)
        var bench = DialBench(timing: timing, hasOffNormal: false)
        bench.play(signal.moves)
        let made = try #require(signal.moves.last).at
        var dial = RotaryDial(timing: timing, map: .standard, hasOffNormal: false)
        _ = dial.looked(isBroken: false, isTurned: false, at: .zero)
        for move in signal.moves { _ = dial.edge(of: move.contact, to: move.active, at: move.at) }
        let end = made + .milliseconds(8 + silence)
        let early = dial.looked(isBroken: false, isTurned: false, at: end - .nanoseconds(1))
        #expect(early.isEmpty)
        #expect(dial.deadline == end)
        let inTime = dial.looked(isBroken: false, isTurned: false, at: end)
        #expect(inTime == [.one])

        manner.hasOffNormal = true
        var turned = DialSignal(seed: 1)
        turned.dial(1, manner)
        dial = RotaryDial(timing: timing, map: .standard, hasOffNormal: true)
        var told: [DTMFSymbol] = []
        for move in turned.moves { told += dial.edge(of: move.contact, to: move.active, at: move.at) }
        let rest = try #require(turned.moves.last).at
        #expect(told.isEmpty)
        told = dial.looked(isBroken: false, isTurned: false, at: rest + .milliseconds(8))
        #expect(told == [.one])
    }

    @Test("spikes of up to 7 ms are tolerated, at most one in each rest", arguments: 0..<300 as Range<UInt64>)
    func spikesOfUpTo7MsAreToleratedAtMostOneInEachRest(_ seed: UInt64) {
        let pulses = 1 + Int(seed % 10)
        for contact in [RotaryDial.Contact.pulse, .offNormal] {
            var signal = DialSignal(seed: seed)
            signal.dial(pulses, DialSignal.Manner(pulsesPerSecond: seed.isMultiple(of: 2) ? 8 : 11))
            signal.addSpike(on: contact, length: .microseconds(20 + 23 * Int(seed)))
            var bench = DialBench(lag: .milliseconds(1), seed: seed)
            bench.play(signal.moves)
            #expect(bench.digits == [digit(pulses)])
            #expect(bench.dial.faults == 0)
        }
    }

    @Test("pulses of a resting dial are noise and do not spoil the next turn")
    func pulsesOfRestingDialAreNoiseAndDoNotSpoilNextTurn() {
        var signal = DialSignal(seed: 1)
        signal.dial(3, DialSignal.Manner(hasOffNormal: false))
        signal.pause(.milliseconds(20))
        signal.dial(7)
        var bench = DialBench()
        bench.play(signal.moves)
        #expect(bench.digits == [.seven])
        #expect(bench.dial.faults == 1)
    }

    @Test("a pulse lost to a dirty contact gives no digit")
    func pulseLostToDirtyContactGivesNoDigit() {
        for hasOffNormal in [true, false] {
            for missing in 1..<9 {
                var signal = DialSignal(seed: 3)
                let manner = DialSignal.Manner(hasOffNormal: hasOffNormal, bounces: false)
                signal.dial(10, manner)
                let pulseMoves = signal.moves.indices.filter { signal.moves[$0].contact == .pulse }
                let gone = Set(pulseMoves[2 * missing...2 * missing + 1])
                var bench = DialBench(hasOffNormal: hasOffNormal)
                bench.play(signal.moves.enumerated().filter { !gone.contains($0.offset) }.map(\.element))
                #expect(bench.digits.isEmpty)
                #expect(bench.dial.faults == 1)
            }
        }
    }

    @Test("a turn already under way at start is ignored", arguments: [true, false])
    func turnAlreadyUnderWayAtStartIsIgnored(_ hasOffNormal: Bool) {
        let manner = DialSignal.Manner(hasOffNormal: hasOffNormal)
        var signal = DialSignal(from: .zero - .milliseconds(900), seed: 2)
        signal.dial(10, manner)
        signal.pause(.milliseconds(800))
        signal.dial(6, manner)
        let past = signal.moves.filter { $0.at <= .zero }
        let levels = Dictionary(past.map { ($0.contact, $0.active) }) { $1 }
        var bench = DialBench(hasOffNormal: hasOffNormal, levels: levels)
        bench.play(signal.moves.filter { $0.at > .zero })
        #expect(bench.digits == [.six])
        #expect(bench.dial.faults <= 1)
    }

    @Test("a stuck contact is one fault, and recovers after repair")
    func stuckContactIsOneFaultAndRecoversAfterRepair() {
        var signal = DialSignal(seed: 1)
        let manner = DialSignal.Manner(hasOffNormal: false, bounces: false)
        signal.move(.pulse, to: true, at: signal.end, manner)
        signal.pause(.seconds(20))
        signal.move(.pulse, to: false, at: signal.end, manner)
        signal.pause(.seconds(1))
        signal.dial(2, manner)
        var bench = DialBench(hasOffNormal: false)
        bench.play(signal.moves)
        #expect(bench.digits == [.two])
        #expect(bench.dial.faults == 1)
    }

    @Test("holding the turned dial for a minute changes nothing")
    func holdingTurnedDialForMinuteChangesNothing() {
        var signal = DialSignal(seed: 1)
        signal.move(.offNormal, to: true, at: signal.end, DialSignal.Manner())
        signal.pause(.seconds(60))
        signal.dial(5, DialSignal.Manner(hasOffNormal: false))
        signal.pause(.milliseconds(50))
        signal.move(.offNormal, to: false, at: signal.end, DialSignal.Manner())
        var bench = DialBench()
        bench.play(signal.moves)
        #expect(bench.digits == [.five])
    }
}
