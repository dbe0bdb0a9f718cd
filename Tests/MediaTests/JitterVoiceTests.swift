import Base
import RTPCore
import SoundCore
import Testing

/// What jitter does to a voice, in simulated time: jitter buffer, stretcher and resampler as `VoiceReceiver` has them, and
/// frames of the voice itself instead of a codec's. Only what is invented, stretched and resampled is heard by PESQ.
@Suite(
    .enabled(if: SpokenWords.canSpeak, "needs espeak-ng and sox (Scripts/setup test)"),
    .enabled(if: Opinion.isThere, "needs PESQ (Scripts/bench.d/pesq)"))
struct JitterVoiceTests {
    /// Seconds in which the buffer learns the link, before the first word.
    private static let quiet = 5
    private static let frame = 960
    private static let quantum = 480

    @Test(arguments: [1, 2])
    func aVoiceComesThroughJitterUnharmed(seed: UInt64) throws {
        let said = try SpokenWords.recorded.get().alice
        let steady = try Self.opinion(of: said) { 0 }
        var dice = SeededGenerator(seed: seed)
        let jittery = try Self.opinion(of: said) { max(0, Int(dice.next() % 80_001) - 20_000) }
        print("a voice over 20 ± 40 ms of jitter, seed \(seed): PESQ \(jittery), without \(steady)")
        #expect(steady > 4.5)
        #expect(jittery > steady - 0.1)
    }

    /// - Parameter delay: of the next packet, in microseconds.
    private static func opinion(of said: [Int16], delay: () -> Int) throws -> Double {
        let voice = [Int16](repeating: 0, count: quiet * 48_000) + said + [Int16](repeating: 0, count: 24_000)
        var receiver = Receiver(voice: voice)
        let packets = voice.count / frame
        // By arrival, in microseconds; a packet leaves when its last sample was spoken.
        let arrivals = (0..<packets).map { (at: ($0 + 1) * 20_000 + delay(), number: $0) }.sorted { $0.at < $1.at }
        var next = 0
        var heard: [Int16] = []
        for time in stride(from: 3_000, to: packets * 20_000 + 200_000, by: 10_000) {
            while next < packets, arrivals[next].at <= time {
                receiver.insert(arrivals[next].number, at: arrivals[next].at)
                next += 1
            }
            heard += receiver.play(at: time)
        }
        let start = quiet * 48_000 + 20 * 48 + Int(receiver.buffer.statistics.delayMilliseconds) * 48
        return try Opinion.of(Array(heard.dropFirst(start)), clean: said)
    }

    private struct Receiver: ~Copyable {
        var buffer = JitterBuffer(.init(clockRate: SoundFormat.sampleRate))
        private var stretcher = TimeStretcher()
        private var resampler = FractionalResampler()
        private let voice: [Int16]
        private var sound: [Int16] = []
        private var (start, end) = (0, 0)

        init(voice: [Int16]) { self.voice = voice }

        /// The payload is the packet's number.
        mutating func insert(_ number: Int, at microseconds: Int) {
            let header = RTPHeader(
                payloadType: 111, sequence: UInt16(truncatingIfNeeded: number),
                timestamp: UInt32(truncatingIfNeeded: number * JitterVoiceTests.frame), source: 7)
            let bytes = [UInt8(number >> 8), UInt8(number & 255)]
            _ = buffer.insert(
                header, ticks: JitterVoiceTests.frame, payload: bytes.span, at: .zero + .microseconds(microseconds))
        }

        mutating func play(at microseconds: Int) -> [Int16] {
            var output = [Int16](repeating: 0, count: JitterVoiceTests.quantum)
            resampler.set(correction: buffer.correction)
            var place = 0
            while place < output.count {
                if start == end { refill(wanted: output.count - place, at: .zero + .microseconds(microseconds)) }
                var target = output.mutableSpan
                let waiting = Array(sound[start..<end])
                let played = resampler.run(waiting.span, into: &target, from: place)
                start += played.taken
                place = played.place
            }
            return output
        }

        private mutating func refill(wanted: Int, at now: Instant) {
            var payload = [UInt8](repeating: 0, count: 1_500)
            var bytes = payload.mutableSpan
            let decision = buffer.take(wanted, of: JitterVoiceTests.quantum, at: now, into: &bytes)
            start = 0
            switch decision {
            case .decode(let frame):
                let first = (Int(payload[0]) << 8 | Int(payload[1])) * JitterVoiceTests.frame
                finish(voice[first..<first + frame.ticks], stretch: frame.stretch, at: now)
            case .recover(let frame):
                finish(ArraySlice(repeating: 0, count: frame.ticks), at: now)
            case .conceal(let ticks), .silence(let ticks):
                finish(ArraySlice(repeating: 0, count: min(ticks, 960)), at: now)
            }
        }

        private mutating func finish(_ samples: ArraySlice<Int16>, stretch: Int = 0, at now: Instant) {
            var sound = samples + [Int16](repeating: 0, count: TimeStretcher.longestPeriod)
            var span = sound.mutableSpan
            end = stretcher.apply(stretch, to: &span, count: samples.count)
            self.sound = Array(sound)
            buffer.stretched(by: end - samples.count, at: now)
        }
    }
}
