import Comparison
import SoundCore
import Testing

@Suite struct ConcealmentTests {
    /// A voice: pulses of one pitch, ringing at 700 Hz.
    private static func voice(pitch: Int, rate: Int, count: Int) -> [Int16] {
        let ring = CodecSignal.sine(700, amplitude: 12_000, rate: rate, count: count).map(Int.init)
        let period = rate / pitch
        return (0..<count).map { place in
            let since = place % period
            return Int16(ring[since] * (period - since) / period)
        }
    }

    /// Runs frames of 20 ms through a concealment; those of `missing` are concealed.
    private static func run(_ samples: [Int16], rate: Int, missing: Range<Int>) -> [Int16] {
        var concealment = Concealment(sampleRate: rate)
        let frame = rate / 50
        var heard: [Int16] = []
        for number in 0..<samples.count / frame {
            var part = Array(samples[number * frame..<(number + 1) * frame])
            var span = part.mutableSpan
            if missing.contains(number) {
                concealment.invent(frame, into: &span)
            } else {
                concealment.pass(frame, of: &span)
            }
            heard += part
        }
        return heard
    }

    private static func level(_ samples: ArraySlice<Int16>) -> Double { Level(of: Array(samples).span).rms }

    @Test(arguments: [8_000, 16_000], [80, 125, 190]) func voiceContinuesAcrossMissingPacket(rate: Int, pitch: Int) {
        let said = Self.voice(pitch: pitch, rate: rate, count: rate)
        let heard = Self.run(said, rate: rate, missing: 20..<21)
        let gap = 20 * rate / 50..<21 * rate / 50
        let ratio = CodecSignal.ratio(said: Array(said[gap]), heard: Array(heard[gap]), delay: 0)
        #expect(ratio > 10, "the pitch continues: \(ratio) dB")
        #expect(Mismatch(heard[..<gap.lowerBound], said[..<gap.lowerBound]) == nil)
        #expect(Mismatch(heard[(gap.upperBound + rate / 100)...], said[(gap.upperBound + rate / 100)...]) == nil)
    }

    /// Neither its beginning nor its end has a step that the voice itself does not have.
    @Test(arguments: [8_000, 16_000], [1, 2, 3, 5]) func concealmentDoesNotClick(rate: Int, frames: Int) {
        let said = CodecSignal.sine(430, amplitude: 10_000, rate: rate, count: rate)
        let heard = Self.run(said, rate: rate, missing: 10..<10 + frames).map(Int.init)
        let own = zip(said, said.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
        let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        #expect(steps <= own + own / 2, "\(steps) of \(own)")
    }

    @Test func concealmentFadesAndReturns() {
        let said = CodecSignal.sine(430, amplitude: 10_000, rate: 8_000, count: 8_000)
        let heard = Self.run(said, rate: 8_000, missing: 10..<20)
        let usual = Self.level(said[...])
        let frames = (10..<22).map { Self.level(heard[$0 * 160..<($0 + 1) * 160]) - usual }
        #expect(abs(frames[0]) < 3 && frames[1] < frames[0] && frames[2] < frames[1], "\(frames)")
        #expect((3..<10).allSatisfy { frames[$0] < -60 }, "after 60 ms nothing is left: \(frames)")
        #expect(abs(frames[11]) < 0.5)
    }

    @Test func newCallHasNothingOfFormerOne() {
        var concealment = Concealment(sampleRate: 8_000)
        var loud = [Int16](repeating: 9_000, count: 160)
        var span = loud.mutableSpan
        concealment.pass(160, of: &span)
        concealment.reset()
        concealment.invent(160, into: &span)
        #expect(loud.allSatisfy { $0 == 0 })
    }

    /// Gaps and sound of any lengths at any level: no sample is out of range, nothing traps.
    @Test(arguments: [UInt64(1), 2, 3]) func anyOrderOfGapsIsSafe(seed: UInt64) {
        var concealment = Concealment(sampleRate: 16_000)
        let said = CodecSignal.samples(count: 200_000, seed: seed)
        var place = 0
        while place + 2_000 < said.count {
            let length = 1 + abs(Int(said[place])) % 1_920
            var part = Array(said[place..<place + length])
            var span = part.mutableSpan
            if said[place] & 1 == 0 {
                concealment.invent(length, into: &span)
            } else {
                concealment.pass(length, of: &span)
            }
            place += length
        }
    }
}
