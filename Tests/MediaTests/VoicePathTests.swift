import AllocationWatch
import Base
import Glibc
import Media
import RTPCore
import SoundCore
import Testing

extension RealTime {
    /// Conditions that a call of `AllocationTests` seldom meets: a stall that is caught up, clocks that disagree, and
    /// a gap so long that sound fades. None of them uses the heap.
    @Suite(.enabled(if: !_isDebugAssertConfiguration() && allocation_watch_is_live() == 1))
    struct VoicePathTests {
        /// Any bytes are 20 ms of a hum, and so is a lost packet.
        private struct Hum: PlayoutDecoder {
            static let sampleLimit = 960
            static let concealmentStep = 120
            static let shortestConcealment = 480

            func decode(_ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int? {
                conceal(Self.sampleLimit, into: &samples)
            }

            func recover(_ count: Int, from packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int? {
                conceal(count, into: &samples)
            }

            func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int? {
                let count = min(count, Self.sampleLimit)
                for place in 0..<count { samples[place] = Int16(place % 400 * 20) }
                return count
            }
        }

        private typealias Path = PlayoutPath<Hum>

        private static func instant(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }

        private func insert(_ number: Int, of path: inout Path, _ payload: [UInt8], at milliseconds: Int) {
            let header = RTPHeader(
                payloadType: 111, sequence: UInt16(truncatingIfNeeded: number),
                timestamp: UInt32(truncatingIfNeeded: number * 960), source: 7)
            _ = path.buffer.insert(header, ticks: 960, payload: payload.span, at: Self.instant(milliseconds))
        }

        /// Half a minute; every packet is 20 ms. Twice the network stalls for 170 ms, once it loses 400 ms.
        private func run(
            _ path: inout Path, _ payload: [UInt8], into output: inout [Int16], from first: Int, to last: Int
        ) {
            var waiting = first / 20
            for time in stride(from: first, to: last, by: 10) {
                let isStalled = (10_000..<10_170).contains(time) || (14_000..<14_170).contains(time)
                while !isStalled, waiting * 20 <= time {
                    let isLost = (20_000..<20_400).contains(waiting * 20) || waiting % 50 == 0
                    if !isLost { insert(waiting, of: &path, payload, at: time + waiting % 3) }
                    waiting += 1
                }
                var sound = output.mutableSpan
                path.render(into: &sound, at: Self.instant(time + 4))
            }
        }

        private func nameThisThread(_ name: String) {
            let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
            #expect(unsafe write(file, name, name.utf8.count) == name.utf8.count)
            close(file)
        }

        @Test func stretchingAndFadingAllocateNothing() {
            let payload = [UInt8](repeating: 0, count: 80)
            var output = [Int16](repeating: 0, count: 480)
            var path = Path(.init(clockRate: SoundFormat.sampleRate), decoder: Hum())
            run(&path, payload, into: &output, from: 0, to: 1_000)
            nameThisThread("voice-path")
            unsafe allocation_watch_begin("voice-path")
            run(&path, payload, into: &output, from: 1_000, to: 30_000)
            let count = allocation_watch_count()
            allocation_watch_begin(nil)
            // Freeing both is counted, too, and would come before.
            withExtendedLifetime((payload, output)) {}
            #expect(count == 0)
            let counters = path.buffer.statistics.counters
            #expect(counters.shortenedTicks > 48 * 200 && counters.lost > 20 && counters.concealedTicks > 0)
        }
    }
}
