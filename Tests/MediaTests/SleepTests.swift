import Foundation
import HostStalls
import Testing

extension RealTime {
    /// How often the audio thread wakes.
    @Suite
    struct SleepTests {
        /// Periods of two phones in two seconds.
        private static let periods = 400

        /// Each phone has two devices with one clock; separate sleeps would be twice as many. On a busy machine phones
        /// may fail to start both together; they retry in each call.
        @Test
        func oneWakeUpServesBothDevices() throws {
            var fewest = Int.max
            for _ in 0..<5 where fewest > Self.periods * 13 / 8 {
                let call = try TestCall()
                #expect(call.isUp())
                let carried = call.carry(seconds: 1)
                #expect(try #require(carried).correlation > 0.8)
                let before = try Self.sleeps()
                listen(milliseconds: 2_000)
                let sleeps = try Self.sleeps() - before
                print("\(sleeps) sleeps in \(Self.periods) periods")
                #expect(sleeps > Self.periods * 3 / 4, "they are counted")
                fewest = min(fewest, sleeps)
            }
            #expect(fewest < Self.periods * 13 / 8)
        }

        /// How often all audio threads of this process have slept since their start.
        private static func sleeps() throws -> Int {
            var sum = 0
            for folder in try AudioThreads.folders() {
                guard let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8),
                    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches:") }),
                    let count = line.split(separator: "\t").last.flatMap({ Int($0) })
                else { continue }
                sum += count
            }
            return sum
        }
    }
}
