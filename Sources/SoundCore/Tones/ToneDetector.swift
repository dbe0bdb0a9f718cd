/// Measures the tones of a recording. For tests and `offhook-bench`, because it allocates.
public enum ToneDetector {
    /// A part of the recording that is sound or silence, and its length.
    public struct Stretch: Equatable, Sendable {
        public let isOn: Bool
        public let milliseconds: Int
        /// The samples of the recording that belong to it.
        public let range: Range<Int>
    }

    /// Level of one frequency in dBm0, by Goertzel's algorithm under a Hann window.
    ///
    /// The result for a pure sine is its own level. Other frequencies are suppressed when they are further away than
    /// four times the reciprocal of the length (40 Hz for 100 ms).
    public static func level(of frequency: Int, in samples: Span<Int16>) -> Double {
        guard samples.count > 1 else { return Decibels.floor }
        let step = 2 * Double(Sine.cosine(frequency, of: SoundFormat.sampleRate))
        var (newer, older, weight) = (0.0, 0.0, 0.0)
        for place in samples.indices {
            // A turn has eight steps for each sample, so its quarters are whole for any length.
            let window = 0.5 - 0.5 * Double(Sine.cosine(8 * place + 4, of: 8 * samples.count))
            let value = Double(samples[place]) * window + step * newer - older
            (older, newer) = (newer, value)
            weight += window
        }
        let power = max(0, newer * newer + older * older - step * newer * older)
        return Decibels.level(2 * power.squareRoot() / weight / 32_767) + Decibels.digitalReference
    }

    /// The power of all frequencies together, in dBm0.
    public static func level(in samples: Span<Int16>) -> Double {
        Level(of: samples).rms + 3.0103 + Decibels.digitalReference
    }

    /// Where sound begins and ends, to about 3 ms. Sound that is 20 dB below the loudest counts as silence. Stretches
    /// shorter than `shortest` milliseconds (beats, modulation) belong to their neighbours.
    public static func cadence(in samples: Span<Int16>, shortest: Int = 12) -> [Stretch] {
        let hop = SoundFormat.samplesPerMillisecond
        let powers = (0..<max(0, samples.count / hop)).map { power(in: samples, around: $0 * hop + hop / 2) }
        guard let loudest = powers.max(), loudest > 0 else {
            return samples.isEmpty ? [] : [stretch(false, from: 0, to: powers.count)]
        }
        var runs: [(isOn: Bool, length: Int)] = []
        for isOn in powers.map({ $0 > loudest / 100 }) {
            if runs.last?.isOn != isOn { runs.append((isOn, 0)) }
            runs[runs.count - 1].length += 1
        }
        return merge(runs, shortest: shortest)
    }

    /// Mean square of the 3 ms around a sample.
    private static func power(in samples: Span<Int16>, around centre: Int) -> Double {
        let half = SoundFormat.samplesPerMillisecond * 3 / 2
        let range = max(0, centre - half)..<min(samples.count, centre + half)
        return range.reduce(0.0) { $0 + Double(samples[$1]) * Double(samples[$1]) } / Double(range.count)
    }

    private static func merge(_ runs: [(isOn: Bool, length: Int)], shortest: Int) -> [Stretch] {
        var merged: [(isOn: Bool, length: Int)] = []
        for run in runs {
            if let last = merged.last, last.isOn == run.isOn || run.length < shortest {
                merged[merged.count - 1].length += run.length
            } else {
                merged.append(run)
            }
        }
        var start = 0
        return merged.map { run in
            defer { start += run.length }
            return stretch(run.isOn, from: start, to: start + run.length)
        }
    }

    private static func stretch(_ isOn: Bool, from start: Int, to end: Int) -> Stretch {
        let hop = SoundFormat.samplesPerMillisecond
        return Stretch(isOn: isOn, milliseconds: end - start, range: start * hop..<end * hop)
    }
}
