import Foundation
import EventLog
import Testing

/// Recordings of real calls. A changed rule of the phone that alters them is a change of behaviour, which these tests
/// report. Look at the first difference; if it is intended, record again (`Fixtures/README.md`).
@Suite("Old recordings still replay")
struct FixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    private static func recordings() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jsonl" }
    }

    @Test func everyRecordingReplaysIdentical() throws {
        let recordings = try Self.recordings()
        #expect(!recordings.isEmpty)
        for recording in recordings {
            let file = [UInt8](try Data(contentsOf: recording))
            let verdict = try Replay.run(file).verdict
            #expect(verdict.events >= 20 && verdict.effects >= 20, "\(recording.lastPathComponent): too little happens")
            #expect(verdict.cutOff == 0 && verdict.lost == 0)
        }
    }
}
