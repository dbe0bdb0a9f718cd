import Bench
import Foundation
import Testing

/// The phone's own figures, and the kernel's of its process.
extension RigPhone {
    /// No packet of the call was lost. Packets that reached the device late on the busy machine are another figure.
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
