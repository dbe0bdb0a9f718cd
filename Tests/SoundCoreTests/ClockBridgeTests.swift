import Base
import SoundCore
import Testing

/// Sound between two devices with different clocks.
@Suite struct ClockBridgeTests {
    private static let quantum = 480

    /// Alternates writes and reads, at the times of two devices.
    private struct Devices: ~Copyable {
        var bridge = ClockBridge(quantum: quantum)
        private(set) var heard: [Int16] = []
        private var written = 0

        mutating func write(_ sound: (Int) -> Int16) {
            let samples = (written..<written + quantum).map(sound)
            bridge.write(samples.span)
            written += quantum
        }

        /// Half an hour of sound is not kept.
        @discardableResult
        mutating func read(gain: Float = 1, keeps: Bool = true) -> [Int16] {
            var part = [Int16](repeating: -1, count: quantum)
            var span = part.mutableSpan
            bridge.read(into: &span, gain: gain)
            if keeps { heard += part }
            return part
        }
    }

    /// 10,000 written and read at another speed, except for rounding.
    private static func isWhole(_ sample: Int16?) -> Bool { sample.map { abs(Int($0) - 10_000) <= 1 } ?? false }

    /// A period of 48,000 samples, so that every frequency of whole hertz fits.
    private static let sine = Signal.tone(500, amplitude: 8_000, milliseconds: 1_000)

    @Test func equalClocksPassSoundUnchanged() {
        var devices = Devices()
        for _ in 0..<200 {
            devices.write { Self.sine[$0 % 48_000] }
            devices.read()
        }
        // Two quanta of silence until enough waits, then the resampler's delay.
        #expect(devices.heard[..<960].allSatisfy { $0 == 0 })
        let sound = Array(devices.heard[(960 + 240)...])
        let first = 240 - FractionalResampler.delay
        #expect(sound.count > 90_000)
        // 1.5 quanta wait beyond the one being read: half a quantum over the target, which the control removes.
        #expect(Signal.steepest(sound) <= Signal.steepest(Self.sine) * 1_005 / 1_000 + 2)
        #expect(abs(Int(sound[0]) - Int(Self.sine[first])) < 600)
    }

    /// Half an hour; each quantum comes up to 4 ms early or late on either side.
    @Test(arguments: [-2_000, -500, -100, 0, 100, 500, 2_000])
    func bridgeFollowsDifferentClocks(partsPerMillion: Int) {
        var devices = Devices()
        var random = SeededGenerator(seed: UInt64(bitPattern: Int64(partsPerMillion)))
        let (ours, theirs) = (10_000_000.0, 10_000_000.0 * (1 + Double(partsPerMillion) / 1_000_000))
        var (reads, writes, dry) = (0, 0, 0)
        var range = (least: Int.max, most: 0)
        let silence = [Int16](repeating: 5, count: Self.quantum)
        while reads < 180_000 {
            let read = Double(reads) * ours + Double.random(in: 0...4_000_000, using: &random)
            while Double(writes) * theirs + Double.random(in: 0...4_000_000, using: &random) <= read {
                devices.bridge.write(silence.span)
                writes += 1
            }
            if reads > 2_000 {
                range = (min(range.least, devices.bridge.waiting), max(range.most, devices.bridge.waiting))
            }
            let part = devices.read(keeps: false)
            if reads > 10, part.contains(0) { dry += 1 }
            reads += 1
        }
        #expect(dry == 0, "it never runs dry")
        // Before a read, in samples: two and a half quanta, one more or less for the timing, and 2 ms for each 1,000
        // ppm.
        #expect(range.least >= Self.quantum && range.most <= 4 * Self.quantum, "\(range)")
    }

    @Test func changesOfSpeedDoNotClick() {
        var devices = Devices()
        for turn in 0..<3_000 {
            // The writer is a thousandth faster.
            if turn % 1_000 == 500 { devices.write { Self.sine[$0 % 48_000] } }
            devices.write { Self.sine[$0 % 48_000] }
            devices.read()
        }
        #expect(Signal.steepest(devices.heard) <= Signal.steepest(Self.sine) * 1_005 / 1_000 + 40)
    }

    @Test func underrunIsSilentAndStartsGently() {
        var devices = Devices()
        for _ in 0..<10 {
            devices.write { _ in 10_000 }
            devices.read()
        }
        for _ in 0..<5 { devices.read() }
        let silent = devices.heard.count - 2 * Self.quantum
        #expect(devices.heard[silent...].allSatisfy { $0 == 0 } && devices.bridge.waiting == 0)
        for _ in 0..<10 {
            devices.write { _ in 10_000 }
            devices.read()
        }
        let again = devices.heard[silent...]
        #expect(Self.isWhole(again.last))
        #expect(zip(again, again.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 68 })
    }

    /// A microphone that stalls for seconds does not delay the far ends' sound for each other.
    @Test func oldSoundIsDropped() {
        var devices = Devices()
        for _ in 0..<500 { devices.write { _ in 10_000 } }
        #expect(devices.bridge.waiting <= 1_200 + 1_920 + 480)
        for _ in 0..<10 {
            devices.write { _ in 10_000 }
            devices.read()
        }
        #expect(Self.isWhole(devices.heard.last))
        devices.bridge.clear()
        #expect(devices.read().allSatisfy { $0 == 0 })
    }

    @Test func closedGateIsReachedInFiveMilliseconds() {
        var devices = Devices()
        for turn in 0..<30 {
            devices.write { _ in 10_000 }
            devices.read(gain: (10..<20).contains(turn) ? 0 : 1)
        }
        let closed = devices.heard[(10 * 480 + 240)..<20 * 480]
        #expect(closed.allSatisfy { $0 == 0 })
        #expect(Self.isWhole(devices.heard[10 * 480 - 1]) && Self.isWhole(devices.heard.last))
        let steps = zip(devices.heard, devices.heard.dropFirst()).map { abs(Int($0) - Int($1)) }
        #expect(steps.allSatisfy { $0 <= 68 })
    }
}
