/// Measures the loudest level of one pitch so far: Goertzel's algorithm over blocks of 20 ms, five blocks at a time.
///
/// The five blocks separate a lasting pitch from a passing one, as in speech. Cost: no allocation, one multiplication a
/// sample.
public struct PitchMeter: Sendable {
    private static let block = 20 * SoundFormat.samplesPerMillisecond
    private static let blocks = 5

    private let step: Float
    private var (newer, older): (Float, Float) = (0, 0)
    private var count = 0
    /// The mean squares of the latest blocks.
    private var latest = InlineArray<5, Float>(repeating: 0)
    private var filled = 0
    private var loudest: Float = 0

    /// - Parameter frequency: In Hz; a multiple of 50, so that other multiples of 50 do not count.
    public init(_ frequency: Int) {
        precondition(frequency > 0 && frequency.isMultiple(of: 50), "a multiple of 50 Hz")
        step = 2 * Sine.cosine(frequency, of: SoundFormat.sampleRate)
    }

    public mutating func take(_ samples: Span<Int16>) {
        for place in samples.indices {
            (older, newer) = (newer, Float(samples[place]) + step * newer - older)
            count += 1
            if count == Self.block { endBlock() }
        }
    }

    /// Starts again.
    public mutating func restart() {
        (newer, older, count, filled, loudest) = (0, 0, 0, 0, 0)
    }

    /// The level of the loudest tenth of a second so far, in dB below a sine of full scale.
    public var level: Double {
        Decibels.level((2 * Double(loudest)).squareRoot() / 32_767)
    }

    private mutating func endBlock() {
        let amplitude = 2 / Float(Self.block)
        let power = max(0, newer * newer + older * older - step * newer * older) * amplitude * amplitude
        (newer, older, count) = (0, 0, 0)
        latest[filled % Self.blocks] = power / 2
        filled += 1
        guard filled >= Self.blocks else { return }
        var sum: Float = 0
        for place in 0..<Self.blocks { sum += latest[place] }
        loudest = max(loudest, sum / Float(Self.blocks))
    }
}
