import Foundation
import HostStalls
import Media
import Testing

extension RealTime {
    /// How often the real-time threads wake.
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

        /// Voice wakes only the audio thread. Two network threads that slept for each packet in both directions would do
        /// so 400 times.
        @Test(arguments: [true, false])
        func voiceDoesNotWakeNetworkThread(isProtected: Bool) throws {
            let call = try TestCall(isProtected: isProtected)
            #expect(call.isUp())
            listen(milliseconds: 300)
            let (before, received) = (try Self.sleeps(of: "media-network"), call.b.media.statistics.packetsReceived)
            listen(milliseconds: 2_000)
            let sleeps = try Self.sleeps(of: "media-network") - before
            #expect(call.b.media.statistics.packetsReceived - received > 60, "there was voice")
            #expect(sleeps < 40, "reports, and headers for statistics: \(sleeps)")
        }

        /// How often all threads of this process with this name have slept since their start.
        private static func sleeps(of name: String = "media-audio") throws -> Int {
            var sum = 0
            for folder in try AudioThreads.folders(of: name) {
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
