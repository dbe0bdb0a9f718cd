import Foundation
import Stalls
import Testing

extension RealTime {
    /// How often the thread that is clocked by sound is up.
    @Suite
    struct SleepTests {
        /// Periods of two phones in two seconds.
        private static let periods = 400

        /// Each phone has two devices with one clock. A sleep for each would be twice as many. One of the phones may have
        /// been kept from beginning both together.
        @Test
        func oneSleepIsForBothDevices() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let carried = call.carry(seconds: 1)
            #expect(try #require(carried).correlation > 0.8)
            let before = try Self.sleeps()
            listen(milliseconds: 2_000)
            let sleeps = try Self.sleeps() - before
            print("\(sleeps) sleeps in \(Self.periods) periods")
            #expect(sleeps > Self.periods * 3 / 4, "they are counted")
            #expect(sleeps < Self.periods * 13 / 8)
        }

        /// Of all audio threads of this process, since they began.
        private static func sleeps() throws -> Int {
            let tasks = "/proc/self/task"
            var sum = 0
            for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
                // Other threads come and go meanwhile.
                guard let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8),
                    status.hasPrefix("Name:\tmedia-audio\n"),
                    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches:") }),
                    let count = line.split(separator: "\t").last.flatMap({ Int($0) })
                else { continue }
                sum += count
            }
            return sum
        }
    }
}
