import AllocationWatch
import Base
import Glibc
import RTPCore
import SoundCore
import Testing

extension RealTime {
    /// What a call of `AllocationTests` seldom meets: a stall that is caught up with, clocks that disagree, and sound that
    /// is missing for so long that it fades. None of that asks the heap for anything.
    @Suite(.enabled(if: !_isDebugAssertConfiguration() && allocation_watch_is_live() == 1))
    struct VoicePathTests {
        /// Jitter buffer, fade, stretcher and resampler, as `VoiceReceiver` has them; instead of a decoder there is a hum.
        private struct Path: ~Copyable {
            var buffer = JitterBuffer(.init(clockRate: SoundFormat.sampleRate))
            var fade = ConcealmentFade()
            var stretcher = TimeStretcher()
            var resampler = FractionalResampler()
            private var (start, end) = (0, 0)

            /// What works with the parts above, and is lent to them.
            struct Room {
                var payload = [UInt8](repeating: 0, count: 1_500)
                var sound = [Int16](repeating: 0, count: 960 + TimeStretcher.longestPeriod)
            }

            mutating func insert(_ number: Int, _ room: borrowing Room, at milliseconds: Int) {
                let header = RTPHeader(
                    payloadType: 111, sequence: UInt16(truncatingIfNeeded: number),
                    timestamp: UInt32(truncatingIfNeeded: number * 960), source: 7)
                let bytes = room.payload.span.extracting(0..<80)
                _ = buffer.insert(header, ticks: 960, payload: bytes, at: Self.instant(milliseconds))
            }

            mutating func play(_ room: inout Room, into output: inout [Int16], at milliseconds: Int) {
                resampler.set(correction: buffer.correction)
                var place = 0
                while place < output.count {
                    if start == end { refill(&room, wanted: output.count - place, at: Self.instant(milliseconds)) }
                    var target = output.mutableSpan
                    let played = resampler.run(room.sound.span.extracting(start..<end), into: &target, from: place)
                    start += played.taken
                    place = played.place
                }
            }

            private mutating func refill(_ room: inout Room, wanted: Int, at now: Instant) {
                var bytes = room.payload.mutableSpan
                let decision = buffer.take(wanted, of: 480, at: now, into: &bytes)
                start = 0
                switch decision {
                case .decode(let frame): render(&room, frame.ticks, stretch: frame.stretch, at: now)
                case .recover(let frame): render(&room, frame.ticks, at: now)
                case .conceal(let ticks), .silence(let ticks): render(&room, min(ticks, 960), isInvented: true, at: now)
                }
            }

            private mutating func render(
                _ room: inout Room, _ count: Int, isInvented: Bool = false, stretch: Int = 0, at now: Instant
            ) {
                var sound = room.sound.mutableSpan
                for place in 0..<count { sound[place] = Int16(place % 400 * 20) }
                // All the room, more than the frame: it fades a little earlier, which is no matter here.
                fade.apply(to: &sound, isInvented: isInvented)
                end = stretcher.apply(stretch, to: &sound, count: count)
                buffer.stretched(by: end - count, at: now)
            }

            private static func instant(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }
        }

        /// Half a minute; every packet is 20 ms. Twice the network stands still for 170 ms, once it says nothing for 400 ms.
        private func run(
            _ path: inout Path, _ room: inout Path.Room, into output: inout [Int16], from first: Int, to last: Int
        ) {
            var waiting = first / 20
            for time in stride(from: first, to: last, by: 10) {
                let isStalled = [10_000..<10_170, 14_000..<14_170].contains { $0.contains(time) }
                while !isStalled, waiting * 20 <= time {
                    let isLost = (20_000..<20_400).contains(waiting * 20) || waiting % 50 == 0
                    if !isLost { path.insert(waiting, room, at: time + waiting % 3) }
                    waiting += 1
                }
                path.play(&room, into: &output, at: time + 4)
            }
        }

        private func nameThisThread(_ name: String) {
            let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
            #expect(unsafe write(file, name, name.utf8.count) == name.utf8.count)
            close(file)
        }

        @Test func stretchingAndFadingAskNothing() {
            var path = Path()
            var (room, output) = (Path.Room(), [Int16](repeating: 0, count: 480))
            run(&path, &room, into: &output, from: 0, to: 1_000)
            nameThisThread("voice-path")
            unsafe allocation_watch_begin("voice-path")
            run(&path, &room, into: &output, from: 1_000, to: 30_000)
            let count = allocation_watch_count()
            allocation_watch_begin(nil)
            #expect(count == 0)
            let counters = path.buffer.statistics.counters
            #expect(counters.shortenedTicks > 48 * 200 && counters.lost > 20 && counters.concealedTicks > 0)
        }
    }
}
