import Bench
import Foundation
import Testing

@Suite struct WireTests {
    @Test func writtenSoundIsHeardAtItsTimeAndNotLapLater() throws {
        let path = NSTemporaryDirectory() + "offhook-wire-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let mouth = try Wire(path: path)
        let ear = try Wire(path: path)
        let start = Wire.now
        mouth.say([7, -8, 9], at: start)
        #expect(ear.heard(start - 1..<start + 4) == [0, 7, -8, 9, 0])
        #expect(ear.heard(start + Wire.capacity..<start + Wire.capacity + 3) == [0, 0, 0])
    }
}
