import Base
import EventLog
import PhoneCore
import Testing

@Suite("Overflow of the writer is counted in place")
struct QueueTests {
    private static func happening(_ second: Int64) -> Happening {
        Happening(
            before: PhoneMachine(policy: PhonePolicy()), .deadline, at: Instant(nanoseconds: second), effects: [])
    }

    private static func contents(_ queue: inout EventLogQueue) -> [String] {
        var contents: [String] = []
        while let item = queue.take() {
            switch item {
            case .happening(let happening): contents.append("\(happening.at.nanoseconds)")
            case .lost(let count): contents.append("lost \(count)")
            }
        }
        return contents
    }

    @Test func eventsAreWrittenInOrder() {
        var queue = EventLogQueue(capacity: 4)
        for second in 1...4 as ClosedRange<Int64> { queue.put(Self.happening(second)) }
        #expect(Self.contents(&queue) == ["1", "2", "3", "4"])
        #expect(queue.isEmpty)
    }

    /// Room that becomes free before the queue is empty does not help: the gap continues.
    @Test func floodIsOneGapThatEndsWhenWriterHasCaughtUp() {
        var queue = EventLogQueue(capacity: 3)
        for second in 1...5 as ClosedRange<Int64> { queue.put(Self.happening(second)) }
        _ = queue.take()
        queue.put(Self.happening(6))
        _ = queue.take()
        queue.put(Self.happening(7))
        #expect(Self.contents(&queue) == ["3", "lost 4"])
        queue.put(Self.happening(8))
        #expect(Self.contents(&queue) == ["8"])
    }

    @Test func lossIsWritten() {
        var queue = EventLogQueue(capacity: 1)
        queue.put(Self.happening(1))
        queue.put(Self.happening(2))
        _ = queue.take()
        #expect(!queue.isEmpty)
        #expect(Self.contents(&queue) == ["lost 1"])
        #expect(queue.isEmpty)
    }

    /// At any pace of the writer, the files on disk replay, and together with the losses they are complete.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func everyFileReplaysAtAnyPace(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var queue = EventLogQueue(capacity: 5)
        var tape = Tape(limit: 40_000, redacts: seed.isMultiple(of: 2))
        let story = Story.events()
        for (at, event) in story {
            queue.put(tape.step(event, at: at))
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                if let item = queue.take() { try tape.write(item) }
            }
        }
        while let item = queue.take() { try tape.write(item) }
        let verdicts = try tape.files.map { try Replay.run($0).verdict }
        #expect(verdicts.map { $0.events + $0.lost }.reduce(0, +) == story.count)
    }
}
