import Base
import Media
import RTPCore
import SoundCore
import Testing

/// The effect of jitter on a voice, in simulated time: the playout path of a call, with frames of the voice itself
/// instead of a codec's. PESQ rates only concealment, stretching and resampling.
@Suite(
    .enabled(if: SpokenWords.canSpeak, "needs espeak-ng and sox (Scripts/setup test)"),
    .enabled(if: Opinion.isThere, "needs PESQ (Scripts/bench.d/pesq)"))
struct JitterVoiceTests {
    /// Seconds in which the buffer learns the link, before the first word.
    private static let quiet = 5
    private static let frame = 960
    private static let quantum = 480

    @Test(arguments: [1, 2])
    func voiceSurvivesJitter(seed: UInt64) throws {
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
        var path = PlayoutPath(.init(clockRate: SoundFormat.sampleRate), decoder: Voice(samples: voice))
        let packets = voice.count / frame
        // By arrival, in microseconds; a packet leaves when its last sample was spoken.
        let arrivals = (0..<packets).map { (at: ($0 + 1) * 20_000 + delay(), number: $0) }.sorted { $0.at < $1.at }
        var next = 0
        var heard: [Int16] = []
        for time in stride(from: 3_000, to: packets * 20_000 + 200_000, by: 10_000) {
            while next < packets, arrivals[next].at <= time {
                insert(arrivals[next].number, of: &path, at: arrivals[next].at)
                next += 1
            }
            var output = [Int16](repeating: 0, count: quantum)
            var sound = output.mutableSpan
            path.render(into: &sound, at: .zero + .microseconds(time))
            heard += output
        }
        let start = quiet * 48_000 + 20 * 48 + Int(path.buffer.statistics.delayMilliseconds) * 48
        return try Opinion.of(Array(heard.dropFirst(start)), clean: said)
    }

    /// The payload is the packet's number.
    private static func insert(_ number: Int, of path: inout PlayoutPath<Voice>, at microseconds: Int) {
        let header = RTPHeader(
            payloadType: 111, sequence: UInt16(truncatingIfNeeded: number),
            timestamp: UInt32(truncatingIfNeeded: number * frame), source: 7)
        let bytes = [UInt8(number >> 8), UInt8(number & 255)]
        _ = path.buffer.insert(header, ticks: frame, payload: bytes.span, at: .zero + .microseconds(microseconds))
    }

    /// A packet is a frame of the speech; a lost one is silence.
    private struct Voice: PlayoutDecoder {
        static let sampleLimit = JitterVoiceTests.frame
        static let concealmentStep = 120
        static let shortestConcealment = 480

        let samples: [Int16]

        func decode(_ packet: Span<UInt8>, into output: inout MutableSpan<Int16>) -> Int? {
            let first = (Int(packet[0]) << 8 | Int(packet[1])) * Self.sampleLimit
            for place in 0..<Self.sampleLimit { output[place] = samples[first + place] }
            return Self.sampleLimit
        }

        func recover(_ count: Int, from packet: Span<UInt8>, into output: inout MutableSpan<Int16>) -> Int? { nil }

        func conceal(_ count: Int, into output: inout MutableSpan<Int16>) -> Int? {
            let count = min(count, Self.sampleLimit)
            for place in 0..<count { output[place] = 0 }
            return count
        }
    }
}
