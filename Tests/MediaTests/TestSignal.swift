import Base
import Glibc

/// A voice-like signal: a gliding pitch with harmonics, in syllables. The same every time.
enum TestSignal {
    static func speech(seconds: Double, seed: UInt64 = 1) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        var samples: [Int16] = []
        var phase = 0.0
        while samples.count < Int(seconds * 48_000) {
            let length = Int.random(in: 6_000...14_000, using: &random)
            let from = Double.random(in: 110...220, using: &random)
            let to = Double.random(in: 110...220, using: &random)
            let formant = Double.random(in: 400...1_800, using: &random)
            for index in 0..<length {
                let part = Double(index) / Double(length)
                phase += (from + (to - from) * part) / 48_000
                let value = harmonics(phase, pitch: from, formant: formant) * sin(.pi * part)
                samples.append(Int16(max(-1, min(1, value)) * 9_000))
            }
            samples.append(contentsOf: [Int16](repeating: 0, count: Int.random(in: 1_000...4_000, using: &random)))
        }
        return Array(samples.prefix(Int(seconds * 48_000)))
    }

    static func sine(_ frequency: Double, amplitude: Double, seconds: Double) -> [Int16] {
        (0..<Int(seconds * 48_000)).map { Int16(amplitude * sin(2 * .pi * frequency * Double($0) / 48_000)) }
    }

    private static func harmonics(_ phase: Double, pitch: Double, formant: Double) -> Double {
        (1...14).reduce(0.0) { sum, number in
            let distance = (Double(number) * pitch - formant) / 500
            return sum + sin(2 * .pi * Double(number) * phase) * (0.08 + 0.6 * exp(-distance * distance))
        }
    }
}

/// The best alignment of heard with sent sound, and its quality: the medians over stretches of a quarter second.
///
/// Each stretch is searched near the best fit of the whole, because a jitter buffer may move a few milliseconds in
/// between, and on a busy machine does.
struct Match {
    /// Samples of a block: few enough that half a block of misalignment still fits.
    private static let step = 4
    private static let stretch = 12_000
    /// How far a stretch may be from the best fit of the whole, in blocks of `step` samples.
    private static let reach = 240

    let delayMilliseconds: Double
    /// -1...1.
    let correlation: Double

    init?(said: [Int16], heard: [Int16]) {
        let (saidBlocks, heardBlocks) = (Self.blocks(said), Self.blocks(heard))
        let last = heardBlocks.count - saidBlocks.count
        guard let whole = Self.best(saidBlocks[...], heardBlocks, near: 0...last, every: 16) else { return nil }
        let (fineSaid, fineHeard) = (said.map(Float.init), heard.map(Float.init))
        var found: [(lag: Int, correlation: Float)] = []
        for start in stride(from: 0, to: said.count - Self.stretch + 1, by: Self.stretch) {
            let blocks = saidBlocks[start / Self.step..<(start + Self.stretch) / Self.step]
            let near = max(0, whole.lag - Self.reach)...min(last, whole.lag + Self.reach)
            guard let coarse = Self.best(blocks, heardBlocks, near: near, every: 1) else {
                found.append((whole.lag * Self.step, 0))
                continue
            }
            let around = coarse.lag * Self.step
            let fine = max(0, around - Self.step)...around + Self.step
            let samples = fineSaid[start..<start + Self.stretch]
            found.append(Self.best(samples, fineHeard, near: fine, every: 3) ?? (around, 0))
        }
        guard !found.isEmpty else { return nil }
        delayMilliseconds = Double(found.map(\.lag).sorted()[found.count / 2]) / 48
        correlation = Double(found.map(\.correlation).sorted()[found.count / 2])
    }

    private static func blocks(_ samples: [Int16]) -> [Float] {
        stride(from: 0, to: samples.count - step + 1, by: step).map { start in
            var sum: Float = 0
            for index in start..<start + step { sum += Float(samples[index]) }
            return sum
        }
    }

    /// The lag at which `said` fits best into `heard`, which starts together with the whole sent sound.
    private static func best(
        _ said: ArraySlice<Float>, _ heard: [Float], near lags: ClosedRange<Int>, every: Int
    ) -> (lag: Int, correlation: Float)? {
        let rated = lags.filter { $0 + said.endIndex <= heard.count }
            .map { (lag: $0, correlation: correlation(said, heard, lag: $0, every: every)) }
        guard let best = rated.max(by: { $0.correlation < $1.correlation }), best.correlation > 0 else { return nil }
        return best
    }

    private static func correlation(_ said: ArraySlice<Float>, _ heard: [Float], lag: Int, every: Int) -> Float {
        var (product, saidEnergy, heardEnergy): (Float, Float, Float) = (0, 0, 0)
        var index = said.startIndex
        while index < said.endIndex {
            let (one, other) = (said[index], heard[lag + index])
            product += one * other
            saidEnergy += one * one
            heardEnergy += other * other
            index += every
        }
        let energy = saidEnergy * heardEnergy
        return energy > 0 ? product / energy.squareRoot() : 0
    }
}
