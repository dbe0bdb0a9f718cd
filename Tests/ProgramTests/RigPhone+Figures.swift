import Bench
import Foundation
import Testing

/// What a phone says of itself, and the kernel of its process.
extension RigPhone {
    /// No packet of the call was lost. What came late to the device on a machine that is busy with the test, too, is
    /// another figure.
    func expectNothingLost() throws {
        try collect()
        let figures = all("callQualityUpdated").compactMap { $0.fields["quality"] }
        #expect(!figures.isEmpty, "\(name) measured nothing")
        #expect(figures.allSatisfy { $0["lossPercent"]?.double == 0 }, "\(name): \(figures)")
    }

    /// The memory that no file backs.
    func anonymousKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    }
}
