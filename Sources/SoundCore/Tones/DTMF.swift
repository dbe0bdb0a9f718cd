import Base

extension ToneSpec {
    private static let lowGroup: [UInt16] = [697, 770, 852, 941]
    private static let highGroup: [UInt16] = [1_209, 1_336, 1_477, 1_633]
    private static let keypad: [Character] = Array("123A456B789C*0#D")

    /// The two frequencies of a key, ITU-T Q.23. The user who presses the key hears them, and they can be sent in-band.
    ///
    /// - Parameters:
    ///   - key: `0-9 * # A-D`; the result is nil for anything else.
    ///   - milliseconds: Length, 0 for as long as the key is held.
    ///   - level: Power of both together in dBm0.
    public init?(key: Character, milliseconds: UInt32, level: Float = usualLevel) {
        guard let place = Self.keypad.firstIndex(of: key),
            let segment = ToneSegment(
                frequencies: [Self.lowGroup[place / 4], Self.highGroup[place % 4]], milliseconds: milliseconds)
        else { return nil }
        self.init(segments: [segment], repeats: false, level: level)
    }
}

/// Detects DTMF keys in a voice (ITU-T Q.23, receivers by Q.24), for far ends that send digits neither as telephone
/// events nor by INFO.
///
/// The detector works at 8 kHz on windows of 102 samples (12.75 ms), one every 51 samples. It reports a key when four
/// windows in a row show the same pair of frequencies. So it reports tones of 40 ms and ignores tones of 23 ms. A
/// window shows a pair when the pair has nearly all of the power; voices also have harmonics and noise.
/// `Scripts/talk-off` counts the keys detected in two hours of people's speech.
///
/// Cost: some 1.3 million multiplications for each second of sound, no allocation after `init`; for a real-time thread.
public struct DTMFDetector: ~Copyable, Sendable {
    /// The event code of each key (RFC 4733 §3.2) in four bits, row by row from the lowest bits: 123A456B789C*0#D. It
    /// is not an array, because the audio thread must not count references.
    private static let codes: UInt64 = 0xfb0ae987d654c321

    private static let factor = 6
    /// Samples converted to 8 kHz at a time.
    private static let most = 160 * factor
    private static let window = 102
    private static let hop = 51
    /// How many windows must show a key, and how many must show another sound before the same key counts again.
    private static let leastLooks = 4
    private static let leastGap = 5
    /// The share of the power that both frequencies together must have. Speech passes it only in single windows.
    private static let leastShare: Float = 0.72
    /// How far each of the two must stand out among the frequencies of its group: 6 dB.
    private static let leastLead: Float = 4
    /// The high frequency may be up to 6 dB stronger than the low one; the low one, up to 10 dB (Q.24 Annex A).
    private static let mostHigh: Float = 4
    private static let mostLow: Float = 10
    /// The least power of each frequency: -38 dBm0, as its power over 102 samples.
    private static let leastPower: Float = 32_768 * 32_768 * 7.69e-5 * 51

    private var decimator = Decimator(factor: factor)
    /// Twice the cosine of each frequency's angle: the low group, then the high one.
    private let turns: InlineArray<8, Float>
    private var samples = InlineArray<102, Float>(repeating: 0)
    private var filled = 0
    private var powers = InlineArray<8, Float>(repeating: 0)
    /// The key in the last windows, and how many showed it.
    private var shown: UInt8?
    private var looks = 0
    /// The reported key that has not ended.
    private var held: UInt8?
    private var gap = 0

    public init() {
        let frequencies: InlineArray<8, Int> = [697, 770, 852, 941, 1_209, 1_336, 1_477, 1_633]
        turns = InlineArray { index in
            2 * Float(Sine.cosine(frequencies[index], of: SoundFormat.sampleRate / Self.factor))
        }
    }

    /// Forgets all earlier sound.
    public mutating func reset() {
        decimator.reset()
        (filled, shown, looks, held, gap) = (0, nil, 0, nil, 0)
    }

    /// - Parameters:
    ///   - sound: The next samples of the voice at 48 kHz.
    ///   - tell: Called with the event code of each key, 0...15, once for each press.
    /// - Precondition: A multiple of 6 samples.
    public mutating func hear(_ sound: Span<Int16>, _ tell: (UInt8) -> Void) {
        var start = 0
        while start < sound.count {
            let part = sound.extracting(start..<min(sound.count, start + Self.most))
            var narrow = InlineArray<160, Int16>(repeating: 0)
            var output = narrow.mutableSpan
            decimator.process(part, into: &output)
            for place in 0..<part.count / Self.factor { take(Float(output[place]), tell) }
            start += part.count
        }
    }

    private mutating func take(_ sample: Float, _ tell: (UInt8) -> Void) {
        samples[filled] = sample
        filled += 1
        guard filled == Self.window else { return }
        if let code = told(look()) { tell(code) }
        for place in 0..<Self.hop { samples[place] = samples[place + Self.hop] }
        filled = Self.hop
    }

    /// The key to report after one more window.
    private mutating func told(_ key: UInt8?) -> UInt8? {
        looks = key == shown ? looks + 1 : 1
        shown = key
        gap = key == held ? 0 : gap + 1
        if gap >= Self.leastGap { held = nil }
        guard let key, looks == Self.leastLooks, key != held else { return nil }
        (held, gap) = (key, 0)
        return key
    }

    /// The key in the current samples.
    private mutating func look() -> UInt8? {
        var total: Float = 0
        for place in samples.indices { total += samples[place] * samples[place] }
        guard total > 2 * Self.leastPower else { return nil }
        for index in powers.indices { powers[index] = power(turns[index]) }
        let (row, low, lowNext) = strongest(0..<4)
        let (column, high, highNext) = strongest(4..<8)
        guard low > Self.leastPower, high > Self.leastPower, low > Self.leastLead * lowNext,
            high > Self.leastLead * highNext, high < Self.mostHigh * low, low < Self.mostLow * high,
            low + high > Self.leastShare * total
        else { return nil }
        return UInt8(truncatingIfNeeded: Self.codes >> (4 * (4 * row + column - 4)) & 0xF)
    }

    /// The power of one frequency by Goertzel's algorithm, as its sum of squares over the samples.
    private func power(_ turn: Float) -> Float {
        var (newer, older): (Float, Float) = (0, 0)
        for place in samples.indices { (newer, older) = (samples[place] + turn * newer - older, newer) }
        return (newer * newer + older * older - turn * newer * older) * 2 / Float(Self.window)
    }

    private func strongest(_ group: Range<Int>) -> (index: Int, power: Float, next: Float) {
        var (index, power, next) = (group.lowerBound, Float(0), Float(0))
        for place in group {
            if powers[place] > power {
                (index, power, next) = (place, powers[place], power)
            } else if powers[place] > next {
                next = powers[place]
            }
        }
        return (index, power, next)
    }
}
