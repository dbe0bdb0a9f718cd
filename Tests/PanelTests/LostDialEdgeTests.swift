import Base
import Panel
import PhoneCore
import Testing

@Suite("Rotary dial, edges lost")
struct LostDialEdgeTests {
    private static let manners = [true, false].flatMap { hasOffNormal in
        [(8, 60), (8, 67), (10, 62), (11, 60), (11, 67)].flatMap { speed, percent in
            [true, false].map { bounces in
                DialSignal.Manner(
                    pulsesPerSecond: speed, brokenPercent: percent, hasOffNormal: hasOffNormal, bounces: bounces)
            }
        }
    }

    /// Two digits 800 ms apart, the second a 3; `first` counts the moves of the first.
    private func pair(_ pulses: Int, _ manner: DialSignal.Manner, seed: UInt64) -> (signal: DialSignal, first: Int) {
        var signal = DialSignal(seed: seed)
        signal.dial(pulses, manner)
        let first = signal.moves.count
        signal.pause(.milliseconds(800))
        signal.dial(3, manner)
        return (signal, first)
    }

    /// With the level read at each wake-up, most lost edges do no harm; the others cost the digit, and never give a
    /// wrong one.
    @Test("losing any single edge of a digit gives no wrong digit", arguments: manners)
    func losingAnySingleEdgeOfDigitGivesNoWrongDigit(_ manner: DialSignal.Manner) {
        for pulses in 1...10 {
            for lag in [Duration.zero, .milliseconds(2)] {
                let (signal, first) = pair(pulses, manner, seed: UInt64(pulses))
                for lost in 0..<first {
                    var bench = DialBench(hasOffNormal: manner.hasOffNormal, lag: lag, seed: UInt64(lost))
                    bench.play(signal.moves, lost: [lost])
                    let digit = DialMap.standard.digit(pulses: pulses)
                    let isRight = bench.digits == [digit, .three]
                    // A lone pulse whose only break is lost cannot be distinguished from a spike.
                    let faults = pulses == 1 ? 0...1 : 1...1
                    let isDropped = bench.digits == [.three] && faults.contains(bench.dial.faults)
                    #expect(
                        isRight || isDropped,
                        "\(pulses) pulses, edge \(lost), lag \(lag): \(bench.digits), \(bench.dial.faults) faults")
                    #expect(bench.dial.faults <= 1)
                    #expect(bench.dial.deadline == nil, "it waits for something")
                }
            }
        }
    }

    @Test("a bouncing dial survives most lost edges", arguments: [true, false])
    func bouncingDialSurvivesMostLostEdges(_ hasOffNormal: Bool) {
        var (right, all) = (0, 0)
        for pulses in 1...10 {
            let manner = DialSignal.Manner(hasOffNormal: hasOffNormal)
            let (signal, first) = pair(pulses, manner, seed: UInt64(pulses))
            for lost in 0..<first {
                var bench = DialBench(hasOffNormal: hasOffNormal, lag: .microseconds(200), seed: UInt64(lost))
                bench.play(signal.moves, lost: [lost])
                right += bench.digits.count == 2 ? 1 : 0
                all += 1
            }
        }
        #expect(right * 10 > all * 8, "\(right) of \(all)")
    }

    /// The kernel reads the level when it handles the interrupt. After a short spike it reports an edge to the
    /// contact's old level.
    @Test("an extra edge anywhere gives no wrong digit", arguments: [true, false])
    func extraEdgeAnywhereGivesNoWrongDigit(_ hasOffNormal: Bool) {
        let manner = DialSignal.Manner(hasOffNormal: hasOffNormal)
        var generator = SeededGenerator(seed: 77)
        var (right, all) = (0, 0)
        for pulses in 1...10 {
            let (signal, first) = pair(pulses, manner, seed: UInt64(pulses))
            let span = signal.moves[first - 1].at - signal.moves[0].at
            for _ in 0..<200 {
                let time = signal.moves[0].at + .nanoseconds(Int64.random(in: 0...span.nanoseconds, using: &generator))
                let index = signal.moves.firstIndex { $0.at > time } ?? first
                let level = signal.moves[..<index].last { $0.contact == .pulse }?.active ?? false
                var moves = signal.moves
                moves.insert(DialSignal.Move(contact: .pulse, active: level, at: time), at: index)
                var bench = DialBench(hasOffNormal: hasOffNormal)
                bench.play(moves)
                let digit = DialMap.standard.digit(pulses: pulses)
                #expect(bench.digits == [digit, .three] || (bench.digits == [.three] && bench.dial.faults == 1))
                right += bench.digits.count == 2 ? 1 : 0
                all += 1
            }
        }
        #expect(right * 100 > all * 85, "\(right) of \(all)")
    }

    @Test("a spike whose end is lost is no pulse, however late it is read", arguments: [8, 20, 60, 500])
    func spikeWhoseEndIsLostIsNoPulseHoweverLateItIsRead(_ late: Int) {
        for hasOffNormal in [true, false] {
            var dial = RotaryDial(timing: DialTiming(), map: .standard, hasOffNormal: hasOffNormal)
            _ = dial.looked(isBroken: false, isTurned: false, at: .zero)
            let start = Instant.zero + .seconds(1)
            _ = dial.looked(isBroken: false, isTurned: false, at: start)
            var told = dial.edge(of: .pulse, to: true, at: start)
            told += dial.looked(isBroken: false, isTurned: false, at: start + .milliseconds(late))
            #expect(dial.deadline == nil)
            told += dial.looked(isBroken: false, isTurned: false, at: start + .seconds(2))
            #expect(told.isEmpty)
            #expect(dial.faults == 0)
        }
    }

    @Test("a lost make in a late first pulse gives no digit that is one too low")
    func lostMakeInLateFirstPulseGivesNoDigitThatIsOneTooLow() {
        for pulses in 2...10 {
            var signal = DialSignal(seed: 1)
            signal.dial(pulses, DialSignal.Manner(hasOffNormal: false, bounces: false))
            var dial = RotaryDial(timing: DialTiming(), map: .standard, hasOffNormal: false)
            _ = dial.looked(isBroken: false, isTurned: false, at: .zero)
            _ = dial.looked(isBroken: false, isTurned: false, at: .zero + .milliseconds(500))
            var told = dial.edge(of: .pulse, to: true, at: signal.moves[0].at)
            told += dial.looked(isBroken: false, isTurned: false, at: signal.moves[1].at)
            for move in signal.moves[2...] {
                told += dial.edge(of: .pulse, to: move.active, at: move.at)
                told += dial.looked(isBroken: move.active, isTurned: false, at: move.at)
            }
            told += dial.looked(isBroken: false, isTurned: false, at: signal.end + .seconds(1))
            #expect(told.isEmpty)
            #expect(dial.faults == 1)
        }
    }

    @Test("with all edges but the first lost, the levels alone end the turn", arguments: [true, false])
    func withAllEdgesButFirstLostLevelsAloneEndTurn(_ hasOffNormal: Bool) {
        let manner = DialSignal.Manner(hasOffNormal: hasOffNormal)
        let (signal, first) = pair(8, manner, seed: 4)
        var bench = DialBench(hasOffNormal: hasOffNormal)
        bench.play(signal.moves, lost: Set(1..<first))
        #expect(bench.digits == [.three], "\(bench.dial)")
        #expect(bench.dial.deadline == nil)
    }

    /// Seeded: digits, speeds, pauses, lag, and one edge in three hundred lost.
    @Test("a thousand digits with random lost edges give no wrong digit", arguments: 0..<4 as Range<UInt64>)
    func thousandDigitsWithRandomLostEdgesGiveNoWrongDigit(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let hasOffNormal = seed.isMultiple(of: 2)
        var bench = DialBench(hasOffNormal: hasOffNormal, lag: .milliseconds(1), seed: seed)
        var expected: [DTMFSymbol] = []
        var signal = DialSignal(seed: seed)
        for _ in 0..<250 {
            let pulses = Int.random(in: 1...10, using: &generator)
            let manner = DialSignal.Manner(
                pulsesPerSecond: Int.random(in: 8...11, using: &generator),
                brokenPercent: Int.random(in: 60...67, using: &generator), hasOffNormal: hasOffNormal)
            signal.dial(pulses, manner)
            signal.pause(.milliseconds(Int.random(in: 700...1500, using: &generator)))
            expected.append(DialMap.standard.digit(pulses: pulses))
        }
        let lost = signal.moves.indices.filter { _ in Int.random(in: 0..<300, using: &generator) == 0 }
        bench.play(signal.moves, lost: Set(lost))
        // Every reported digit is a dialled one, in order; missing ones were counted.
        var rest = expected[...]
        for digit in bench.digits {
            guard let place = rest.firstIndex(of: digit) else {
                Issue.record("\(digit) was not dialled there")
                return
            }
            rest = rest[(place + 1)...]
        }
        let missing = expected.count - bench.digits.count
        #expect(bench.dial.faults >= missing - 1 && missing <= lost.count)
        #expect(bench.digits.count > 200, "\(bench.digits.count)")
    }
}
