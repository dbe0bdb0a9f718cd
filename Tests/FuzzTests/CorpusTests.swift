import Base
import EventLog
import Foundation
import FuzzTargets
import Testing

/// The inputs worth keeping: each corpus through its target, unchanged and slightly changed.
@Suite struct CorpusTests {
    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .path + "/Corpus"

    private static func corpus(_ target: FuzzTarget) throws -> [[UInt8]] {
        let folder = folder + "/" + target.rawValue
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
            Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
        }
    }

    /// Otherwise nothing after the first line is ever reached.
    @Test func eventLogSeedsHaveCurrentVersion() throws {
        var events = 0
        for input in try Self.corpus(.journal) {
            var replay = Replay()
            try replay.take(input) { _ in }
            events += try replay.finish().events
        }
        #expect(events > 3)
    }

    @Test(arguments: FuzzTarget.allCases) func everyInputEnds(_ target: FuzzTarget) throws {
        let corpus = try Self.corpus(target)
        #expect(!corpus.isEmpty, "a target begins with something")
        for input in corpus { target.take(input) }
        target.take([])
        var generator = SeededGenerator(seed: 64)
        for _ in 0..<(target == .vault ? 30 : 150) {
            guard let input = corpus.randomElement(using: &generator)?.mutated(using: &generator) else { continue }
            target.take(input)
        }
    }
}
