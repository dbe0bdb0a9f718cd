import Base
import Media
import SoundCore
import Testing

/// The position of the reference, with devices that are late, imprecise, two, or stumbling.
@Suite struct EchoReferenceTests {
    /// A played sample's value is its number.
    private static let period = 20_000
    private static func value(_ place: Int) -> Int16 { Int16(place % period) }

    /// Two devices in simulated time, advanced by the quantum; the heard samples of playback, the received ones of
    /// capture.
    private struct Devices: ~Copyable {
        var reference = EchoReference(quantum: 480)
        /// How much faster playback's clock is than capture's.
        var share = 0.0
        /// The playback buffer after a quantum was written, and its reported granularity.
        var buffered = 960.0
        var granularity = 1
        var breaks = 0
        private(set) var written = 0
        private(set) var captured = 0
        /// The sample of playback that is audible now.
        private(set) var heard = 0.0

        init() {}

        /// The loudspeaker is silent for so long.
        mutating func stall(samples: Double) { heard -= samples }

        /// A quantum of capture passes.
        /// - Returns: The error of the reference in samples, at each sample of the quantum; nil where it wraps.
        mutating func step(_ random: inout SeededGenerator) -> [Double?]? {
            captured += 480
            heard += 480 * (1 + share)
            while Double(written) < heard + buffered - 480 { write() }
            let exact = Double(written) - heard
            // Known at the last multiple of the granularity: it reports more waiting samples than there are.
            let stale = granularity == 1 ? 0 : Double(Int.random(in: 0..<granularity, using: &random))
            var output = [Int16](repeating: 0, count: 480)
            var span = output.mutableSpan
            let lag = EchoReference.Lag(samples: Int((exact + stale).rounded()), breaks: breaks)
            guard reference.read(into: &span, lag) else { return nil }
            return output.indices.map { index in
                let expected = heard - 480 * (1 + share) + Double(index) * (1 + share) + Double(EchoReference.lead)
                let place = expected.truncatingRemainder(dividingBy: Double(EchoReferenceTests.period))
                guard place > 200, place < Double(EchoReferenceTests.period - 200) else { return nil }
                return Double(output[index]) - place
            }
        }

        private mutating func write() {
            let samples = (written..<written + 480).map(EchoReferenceTests.value)
            reference.write(samples.span)
            written += 480
        }
    }

    /// The largest error of so many quanta.
    private static func worst(_ devices: inout Devices, quanta: Int, seed: UInt64 = 1) -> Double {
        var random = SeededGenerator(seed: seed)
        var worst = 0.0
        for _ in 0..<quanta {
            for error in devices.step(&random) ?? [.infinity] { worst = max(worst, abs(error ?? 0)) }
        }
        return worst
    }

    @Test func referenceIsExactAtOnceOnOneClock() {
        var devices = Devices()
        _ = Self.worst(&devices, quanta: 2)
        #expect(Self.worst(&devices, quanta: 3_000) <= 1)
        #expect(devices.reference.driftShare == 0)
    }

    /// A device that knows its position only once a period never makes the reference drift.
    @Test(arguments: [48, 240, 480])
    func imprecisePositionsDoNotMoveReference(granularity: Int) {
        var devices = Devices()
        devices.granularity = granularity
        _ = Self.worst(&devices, quanta: 100)
        let worst = Self.worst(&devices, quanta: 6_000, seed: 2)
        print("places known to \(granularity) samples: off by at most \(worst)")
        #expect(worst <= 60)
    }

    /// Within slightly more than a millisecond, from the third second on; a constant rest is learned as part of the
    /// room.
    @Test(arguments: [-2_000, -500, -100, 100, 500, 2_000])
    func referenceFollowsTwoClocks(partsPerMillion: Int) {
        var devices = Devices()
        devices.share = Double(partsPerMillion) / 1_000_000
        let first = Self.worst(&devices, quanta: 300)
        let worst = Self.worst(&devices, quanta: 12_000, seed: 3)
        let found = devices.reference.driftShare * 1_000_000
        print("clocks \(partsPerMillion) ppm apart: off by \(first), then \(worst) samples; found \(found)")
        #expect(first <= 144)
        #expect(worst <= 60)
        #expect(abs(found - Double(partsPerMillion)) <= 5)
    }

    /// A reported underrun costs nothing; an unreported one a quarter second.
    @Test(arguments: [true, false], [480.0, 2_000, -700])
    func referenceFollowsJumps(isTold: Bool, samples: Double) {
        var devices = Devices()
        _ = Self.worst(&devices, quanta: 200)
        devices.stall(samples: samples)
        if isTold { devices.breaks += 1 }
        // The resampler still holds 16 older samples.
        let first = Self.worst(&devices, quanta: 1)
        let within = Self.worst(&devices, quanta: 25)
        #expect(isTold ? within <= 1 : max(first, within) > 100)
        #expect(Self.worst(&devices, quanta: 1_000) <= 1)
    }

    @Test(arguments: [Int.min, -1, 16_385, .max])
    func impossibleLagsGiveNoReference(samples: Int) {
        var reference = EchoReference(quantum: 480)
        var output = [Int16](repeating: 7, count: 480)
        var span = output.mutableSpan
        let isKnown = reference.read(into: &span, .init(samples: samples, breaks: 0))
        #expect(!isKnown)
        #expect(output.allSatisfy { $0 == 7 })
    }

    @Test func unplayedSamplesAreSilence() {
        var reference = EchoReference(quantum: 480)
        var output = [Int16](repeating: 7, count: 480)
        var span = output.mutableSpan
        let isKnown = reference.read(into: &span, .init(samples: 960, breaks: 0))
        #expect(isKnown)
        #expect(output.allSatisfy { $0 == 0 })
    }
}
