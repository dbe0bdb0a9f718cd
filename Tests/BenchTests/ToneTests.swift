import Bench
import Foundation
import Testing

@Suite struct ToneTests {
    private func sound(_ frequencies: [Double], amplitude: Double = 3_000) -> [Int16] {
        (0..<9_600).map { index in
            Int16(frequencies.map { amplitude * sin(2 * .pi * $0 * Double(index) / 48_000) }.reduce(0, +))
        }
    }

    @Test func toneHasItsFrequenciesOnly() {
        let dial = sound([350, 440])
        #expect(Tones.hold([350, 440], in: dial))
        #expect(!Tones.hold([440, 480], in: dial))
        #expect(!Tones.hold([350, 440], in: sound([350])))
        #expect(!Tones.hold([350, 440], in: sound([350, 440, 1_000])))
        #expect(!Tones.hold([350, 440], in: [Int16](repeating: 0, count: 9_600)))
        #expect(!Tones.hold([350, 440], in: []))
    }
}
