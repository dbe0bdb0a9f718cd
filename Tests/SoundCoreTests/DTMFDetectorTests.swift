import Base
import SoundCore
import Testing

/// Detection of keys in a voice, by the figures of ITU-T Q.24.
@Suite struct DTMFDetectorTests {
    private static let keys = Array("123A456B789C*0#D")
    private static let codes = Dictionary(uniqueKeysWithValues: zip("0123456789*#ABCD", UInt8(0)...15))

    /// A key press of another telephone.
    struct Press {
        var milliseconds = 50
        /// Of each frequency, in dBm0.
        var level = -13.0
        /// How far both frequencies are off, as a share.
        var deviation = 0.0
        /// The level of the high frequency over the low one, in dB.
        var twist = 0.0

        func samples(_ key: Character) -> [Int16] {
            let place = DTMFDetectorTests.keys.firstIndex(of: key) ?? 0
            let low = [697.0, 770, 852, 941][place / 4] * (1 + deviation)
            let high = [1_209.0, 1_336, 1_477, 1_633][place % 4] * (1 + deviation)
            let count = milliseconds * SoundFormat.samplesPerMillisecond
            let lows = CodecSignal.sine(low, amplitude: amplitude(-twist / 2), count: count)
            let highs = CodecSignal.sine(high, amplitude: amplitude(twist / 2), count: count)
            return zip(lows, highs).map { $0 + $1 }
        }

        private func amplitude(_ more: Double) -> Double { Decibels.amplitude(dBm0: level + more) }
    }

    private static func pause(_ milliseconds: Int) -> [Int16] {
        Array(repeating: 0, count: milliseconds * SoundFormat.samplesPerMillisecond)
    }

    /// Noise with this many dB less power than a press at its usual level.
    private static func noise(_ samples: [Int16], below ratio: Double, seed: UInt64) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        // Two frequencies; a uniform distribution has a third of its peak's square.
        let peak = Decibels.amplitude(dBm0: -13 - ratio) * 3.0.squareRoot()
        return samples.map { sample in
            let uniform = Double(random.next() >> 11) / Double(UInt64(1) << 52) - 1
            return Int16(clamping: Int(sample) + Int(uniform * peak))
        }
    }

    /// In pieces of 10 ms, as the audio thread has them.
    private static func heard(_ samples: [Int16]) -> [UInt8] {
        var detector = DTMFDetector()
        var codes: [UInt8] = []
        for start in stride(from: 0, to: samples.count - 479, by: 480) {
            detector.hear(samples.span.extracting(start..<start + 480)) { codes.append($0) }
        }
        return codes
    }

    /// The keys reported once, at any offset in the detector's grid; of all keys at 17 offsets.
    private static func told(_ press: Press, prepare: ([Int16], UInt64) -> [Int16] = { samples, _ in samples })
        -> Double
    {
        var (right, all) = (0.0, 0.0)
        for key in keys {
            for place in 0..<17 {
                let sound = pause(40) + Array(pause(1).prefix(place * 18)) + press.samples(key) + pause(80)
                let codes = heard(prepare(sound, UInt64(place + 1)))
                if codes == [Self.codes[key]] { right += 1 }
                all += 1
            }
        }
        return right / all
    }

    @Test func everyKeyOfFortyMillisecondsIsDetected() { #expect(Self.told(Press(milliseconds: 40)) == 1) }

    @Test(arguments: [-0.015, 0.015]) func slightlyWrongFrequenciesAreAccepted(deviation: Double) {
        #expect(Self.told(Press(deviation: deviation)) == 1)
    }

    @Test(arguments: [-0.035, 0.035]) func wrongFrequenciesAreNoKey(deviation: Double) {
        #expect(Self.told(Press(milliseconds: 200, deviation: deviation)) == 0)
    }

    @Test(arguments: [-8.0, 4]) func unequalFrequenciesAreAccepted(twist: Double) {
        #expect(Self.told(Press(twist: twist)) == 1)
    }

    @Test(arguments: [-30.0, -3])
    func softAndLoudKeysAreDetected(level: Double) { #expect(Self.told(Press(level: level)) == 1) }

    @Test func keysAreDetectedAtFifteenDecibelsOfNoise() {
        #expect(Self.told(Press(), prepare: { Self.noise($0, below: 15, seed: $1) }) == 1)
    }

    @Test func shortTonesAreNoKey() { #expect(Self.told(Press(milliseconds: 20)) == 0) }

    @Test func heldKeyIsReportedOnce() { #expect(Self.told(Press(milliseconds: 3_000)) == 1) }

    @Test func sameKeyIsDetectedAgainAfterForty() {
        let press = Press().samples("5")
        #expect(Self.heard(Self.pause(40) + press + Self.pause(40) + press + Self.pause(80)) == [5, 5])
    }

    /// A gap of one packet in a press is no second press.
    @Test func gapInPressIsNoSecondPress() {
        let press = Press(milliseconds: 80).samples("5")
        #expect(Self.heard(Self.pause(40) + press + Self.pause(10) + press + Self.pause(80)) == [5])
    }

    @Test func machineDialledNumberIsDetected() {
        let number = "0301234567890*#ABCD"
        let sound = number.flatMap { Press().samples($0) + Self.pause(50) }
        #expect(Self.heard(sound + Self.pause(50)) == number.compactMap { Self.codes[$0] })
    }

    @Test(arguments: [TelephoneCodec.g711(.mu), .g711(.a), .g722])
    func keysAreDetectedBehindCodec(codec: TelephoneCodec) {
        let number = "159#*D"
        let sound = Self.pause(40) + number.flatMap { Press().samples($0) + Self.pause(50) } + Self.pause(100)
        let count = sound.count / 960 * 960
        #expect(
            Self.heard(TelephoneTests.carry(Array(sound.prefix(count)), codec)) == number.compactMap { Self.codes[$0] })
    }

    /// A single frequency, and two of one group, are no key.
    @Test(arguments: [[697.0], [1_209], [697, 770], [350, 440], [1_400, 2_060], [425]])
    func otherTonesAreNoKey(frequencies: [Double]) {
        let sines = frequencies.map { CodecSignal.sine($0, amplitude: 8_000, count: 24_000) }
        let sum = sines[0].indices.map { place in sines.reduce(Int16(0)) { $0 + $1[place] } }
        #expect(Self.heard(sum) == [])
    }
}
