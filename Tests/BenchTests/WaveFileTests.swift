import Bench
import Foundation
import Testing

@Suite struct WaveFileTests {
    private let path = NSTemporaryDirectory() + "offhook-\(UUID().uuidString).wav"

    @Test func writtenFileReadsBack() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = WaveFile(samples: [0, 1, -1, .max, .min])
        try file.write(to: path)
        #expect(try WaveFile(path: path) == file)
    }

    @Test func everyTruncationIsErrorOrShorterSound() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = WaveFile(samples: [1, 2, 3, 4]).encoded
        for length in bytes.indices {
            try Data(bytes[..<length]).write(to: URL(fileURLWithPath: path))
            if let file = try? WaveFile(path: path) {
                #expect(Array([1, 2, 3, 4].prefix(file.samples.count)) == file.samples)
            }
        }
    }

    @Test func errorsNameFileAndReason() throws {
        #expect(throws: WaveFile.Failure.unreadable(path: "/nowhere.wav", reason: "No such file or directory")) {
            try WaveFile(path: "/nowhere.wav")
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        var stereo = WaveFile(samples: [1]).encoded
        stereo[22] = 2
        try Data(stereo).write(to: URL(fileURLWithPath: path))
        #expect(throws: WaveFile.Failure.wrongForm(path: path, found: "16-bit, 2 channels at 48000 Hz, format 1")) {
            try WaveFile(path: path)
        }
    }
}
