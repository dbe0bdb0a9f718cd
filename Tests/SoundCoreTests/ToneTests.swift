import Comparison
import SoundCore
import Testing

/// Renders the audible tone and measures it.
@Suite struct ToneTests {
    static let millisecond = SoundFormat.samplesPerMillisecond

    static func render(_ spec: ToneSpec, milliseconds: Int, frame: Int = 480) -> [Int16] {
        var generator = ToneGenerator()
        generator.start(spec)
        return render(&generator, milliseconds: milliseconds, frame: frame)
    }

    static func render(_ generator: inout ToneGenerator, milliseconds: Int, frame: Int = 480) -> [Int16] {
        var samples: [Int16] = []
        while samples.count < milliseconds * millisecond {
            var part = [Int16](repeating: 77, count: min(frame, milliseconds * millisecond - samples.count))
            var span = part.mutableSpan
            generator.render(into: &span)
            samples += part
        }
        return samples
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let country: ToneCountry
        let tone: CallTone
        var testDescription: String { "\(country.rawValue) \(tone.rawValue)" }
        var spec: ToneSpec { country.plan[tone] }
    }

    static let rows = ToneCountry.allCases.flatMap { country in
        CallTone.allCases.map { Row(country: country, tone: $0) }
    }

    /// A segment without length is listened to this long.
    static let longEnough = 400

    static func length(_ segment: ToneSegment) -> Int {
        segment.milliseconds == 0 ? longEnough : Int(segment.milliseconds)
    }

    /// One round of every tone: its rhythm, its frequencies and its edges.
    @Test(arguments: rows)
    func toneHasItsRhythmFrequenciesAndEdges(_ row: Row) {
        let spec = row.spec
        let samples = Self.render(spec, milliseconds: spec.allSegments.reduce(0) { $0 + Self.length($1) })
        Self.checkCadence(spec, samples)
        Self.checkFrequencies(spec, samples)
        Self.checkEdges(spec, samples)
    }

    static func checkCadence(_ spec: ToneSpec, _ samples: [Int16]) {
        // Neighbours of the same kind are heard as one.
        var expected: [(isOn: Bool, milliseconds: Int)] = []
        for segment in spec.allSegments {
            if expected.last?.isOn == !segment.isSilent {
                expected[expected.count - 1].milliseconds += length(segment)
            } else {
                expected.append((!segment.isSilent, length(segment)))
            }
        }
        let heard = ToneDetector.cadence(in: samples.span)
        #expect(heard.map(\.isOn) == expected.map(\.isOn))
        for (heard, expected) in zip(heard, expected) {
            #expect(abs(heard.milliseconds - expected.milliseconds) <= 6, "\(heard) for \(expected)")
        }
    }

    /// Each segment holds its frequencies at their level, and nothing elsewhere.
    static func checkFrequencies(_ spec: ToneSpec, _ samples: [Int16]) {
        var start = 0
        for segment in spec.allSegments {
            let part = samples.span.extracting(start..<start + min(length(segment), longEnough) * millisecond)
            start += length(segment) * millisecond
            // Shorter ones cannot separate neighbouring frequencies.
            guard !segment.isSilent, length(segment) >= 100 else { continue }
            // Equal power for each; modulated by m = 0.8 the carrier has 1 / (1 + m) of the peak.
            let each = Double(spec.level) - Decibels.level(Double(segment.frequencyCount).squareRoot())
            let carrier = segment.modulation == 0 ? each : each - Decibels.level(1.8)
            for frequency in segment.frequencies {
                let level = ToneDetector.level(of: Int(frequency), in: part)
                #expect(abs(level - carrier) < 1.5, "\(frequency) Hz at \(level) instead of \(carrier)")
            }
            for stranger in [200, 300, 640, 1_100, 3_000] {
                #expect(ToneDetector.level(of: stranger, in: part) < Double(spec.level) - 25, "\(stranger) Hz")
            }
        }
    }

    /// A sine of amplitude a moves at most 2π·f/48,000·a in a sample; an edge adds next to nothing.
    static func checkEdges(_ spec: ToneSpec, _ samples: [Int16]) {
        let steps = spec.allSegments.map { segment in
            let count = Double(max(1, segment.frequencyCount))
            let share = Decibels.amplitude(dBm0: Double(spec.level)) / count.squareRoot()
            return segment.frequencies.reduce(0) { $0 + 2 * Double.pi * Double($1) / 48_000 * share * 1.05 }
        }
        let limit = Int((steps.max() ?? 0).rounded(.up)) + 2
        var (last, largestStep, peak) = (0, 0, 0)
        for sample in samples {
            largestStep = max(largestStep, abs(Int(sample) - last))
            peak = max(peak, abs(Int(sample)))
            last = Int(sample)
        }
        #expect(largestStep <= limit && peak < 32_767 && peak > 1_000)
    }

    @Test func tableMatchesExpectedValues() {
        #expect(ToneCountry.us.plan.ringback == "440+480/2000 0/4000")
        #expect(ToneCountry.us.plan.busy == "480+620/500 0/500")
        #expect(ToneCountry.gb.plan.ringback == "400+450/400 0/200 400+450/400 0/2000")
        #expect(ToneCountry.gb.plan.congestion == "400/400 0/350 400/225 0/525")
        #expect(ToneCountry.de.plan.busy == "425/480 0/480")
        #expect(ToneCountry.it.plan.dial == "425/200 0/200 425/600 0/1000")
        let stutter = ToneCountry.us.plan.stutterDial.allSegments
        #expect(stutter.map(\.milliseconds) == Array(repeating: 100, count: 20) + [0])
        #expect(stutter.map(\.isSilent) == (0...20).map { !$0.isMultiple(of: 2) })
        #expect(ToneCountry.de.plan.stutterDial == "425+400")
        #expect(ToneCountry.es.plan.stutterDial == "425/1000 0/100")
        #expect(ToneCountry.be.plan.ring.milliseconds == [1_000, 3_000])
        #expect(ToneCountry(rawValue: "GB") == .gb && ToneCountry(rawValue: "XX") == nil)
    }

    @Test func bellsRingWithRingback() {
        for country in ToneCountry.allCases {
            let plan = country.plan
            #expect(plan.ringback.allSegments.map { Int($0.milliseconds) } == plan.ring.milliseconds, "\(country)")
        }
        #expect(RingToneCadence(milliseconds: [1]) == nil && RingToneCadence(milliseconds: [0, 1]) == nil)
        #expect(RingToneCadence(milliseconds: []) == nil)
    }

    /// Seven seconds of dial tone end in the phase in which they began.
    @Test func phaseIsExact() {
        var generator = ToneGenerator()
        generator.start("350+440")
        let first = Self.render(&generator, milliseconds: 1_000)
        var samples = [Int16](repeating: 0, count: 48_000)
        for _ in 0..<6 {
            var span = samples.mutableSpan
            generator.render(into: &span)
        }
        #expect(Mismatch(samples.suffix(47_000), first.suffix(47_000)) == nil)
    }

    @Test func anyFrameLengthGivesSameSound() {
        let one = Self.render(ToneCountry.gb.plan.busy, milliseconds: 2_000, frame: 96_000)
        let many = Self.render(ToneCountry.gb.plan.busy, milliseconds: 2_000, frame: 37)
        #expect(Mismatch(one, many) == nil)
    }

    @Test func stopAndReplaceDoNotClick() {
        var generator = ToneGenerator()
        generator.start("425")
        var samples = Self.render(&generator, milliseconds: 101)
        generator.start("1000")
        samples += Self.render(&generator, milliseconds: 99)
        let replaced = generator.isActive
        generator.stop()
        samples += Self.render(&generator, milliseconds: 50)
        #expect(replaced && !generator.isActive)
        #expect(samples.suffix(44 * Self.millisecond).allSatisfy { $0 == 0 })
        let limit = Int(2 * Double.pi * 1_000 / 48_000 * Decibels.amplitude(dBm0: -12) * 1.05)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= limit })
        let second = samples.span.extracting(110 * Self.millisecond..<190 * Self.millisecond)
        #expect(abs(ToneDetector.level(of: 1_000, in: second) + 12) < 0.5)
        #expect(ToneDetector.level(of: 425, in: second) < -50)
    }

    @Test func stopWithoutToneDoesNothing() {
        var generator = ToneGenerator()
        generator.stop()
        let samples = Self.render(&generator, milliseconds: 20)
        #expect(samples.allSatisfy { $0 == 0 })
        generator.start("425")
        let sound = Self.render(&generator, milliseconds: 20)
        #expect(sound.contains { $0 != 0 })
    }

    @Test func stopInSilenceEndsAtOnce() {
        var generator = ToneGenerator()
        generator.start("425/100 0/5000")
        _ = Self.render(&generator, milliseconds: 200)
        generator.start("1000")
        let samples = Self.render(&generator, milliseconds: 100)
        #expect(ToneDetector.level(of: 1_000, in: samples.span.extracting(480..<4_320)) > -13)
    }
}
