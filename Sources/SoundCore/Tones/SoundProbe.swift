/// Tests whether a microphone hears a loudspeaker: listens, requests two notes, and compares.
///
///     waiting ─► settling ─► listening ─► playing ─► over
///
/// A pure value that counts the microphone's samples. The two notes are not harmonics of each other, so that a humming
/// machine does not pass the test. Cost: no allocation; for a real-time thread.
public struct SoundProbe: Sendable {
    public enum Outcome: Equatable, Sendable {
        /// The levels of the note that rose least, before the notes and during them, in dB below full scale.
        case heard(before: Double, during: Double)
        /// The devices did not work for long enough.
        case noDevice
    }

    public enum Step: Equatable, Sendable {
        case goOn
        /// Play the notes from now on.
        case play
        case over(Outcome)
    }

    private enum Stage: Sendable { case waiting, settling, listening, playing }

    /// Frequencies in Hz, which any loudspeaker of a telephone can play.
    private static let (low, high) = (700, 1_900)
    /// A note's length, and the pause between the two, in milliseconds.
    private static let (note, pause) = (250, 100)
    /// Quiet: at -20 dBm0, 8 dB below a dial tone.
    private static let level: Float = -20
    private static let patience = samples(3_000)
    /// Microphones click when they are opened, and some need a while to settle their level.
    private static let settlingTime = samples(300)
    private static let listeningTime = samples(500)
    /// The notes, plus the delay through devices and room.
    private static let playingTime = samples(2 * note + pause + 500)

    private var stage = Stage.waiting
    private var passed = 0
    private var waited = 0
    private var meters = (PitchMeter(low), PitchMeter(high))
    private var before = (Decibels.floor, Decibels.floor)

    public init() {}

    /// The notes to play once.
    public static var notes: ToneSpec {
        let parts = [note(low), silence, note(high)].compactMap(\.self)
        guard parts.count == 3, let notes = ToneSpec(segments: parts, repeats: false, level: level) else {
            preconditionFailure("the notes are tones")
        }
        return notes
    }

    /// Takes samples from the microphone.
    /// - Parameter isWorking: Whether both devices are open. If not, the samples are ignored.
    public mutating func hear(_ samples: Span<Int16>, isWorking: Bool) -> Step {
        guard isWorking else {
            (stage, passed) = (.waiting, 0)
            waited += samples.count
            return waited < Self.patience ? .goOn : .over(.noDevice)
        }
        passed += samples.count
        switch stage {
        case .waiting: begin(.settling)
        case .settling: if passed >= Self.settlingTime { begin(.listening) }
        case .listening:
            measure(samples)
            guard passed >= Self.listeningTime else { return .goOn }
            before = (meters.0.level, meters.1.level)
            begin(.playing)
            return .play
        case .playing:
            measure(samples)
            if passed >= Self.playingTime { return .over(result) }
        }
        return .goOn
    }

    private mutating func begin(_ stage: Stage) {
        (self.stage, passed) = (stage, 0)
        meters.0.restart()
        meters.1.restart()
    }

    private mutating func measure(_ samples: Span<Int16>) {
        meters.0.take(samples)
        meters.1.take(samples)
    }

    private var result: Outcome {
        let during = (meters.0.level, meters.1.level)
        return during.0 - before.0 < during.1 - before.1
            ? .heard(before: before.0, during: during.0) : .heard(before: before.1, during: during.1)
    }

    private static func samples(_ milliseconds: Int) -> Int { milliseconds * SoundFormat.samplesPerMillisecond }

    private static func note(_ frequency: Int) -> ToneSegment? {
        ToneSegment(frequencies: [UInt16(frequency)], milliseconds: UInt32(note))
    }

    private static var silence: ToneSegment? { ToneSegment(frequencies: [], milliseconds: UInt32(pause)) }
}

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
