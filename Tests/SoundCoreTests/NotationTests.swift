import SoundCore
import Testing

@Suite struct NotationTests {
    @Test func validNotationIsRead() throws {
        let spec = try #require(ToneSpec(notation: "350+440/100 0/50 400*25/200 425"))
        #expect(spec.allSegments.map(\.frequencies) == [[350, 440], [], [400], [425]])
        #expect(spec.allSegments.map(\.milliseconds) == [100, 50, 200, 0])
        #expect(spec.allSegments.map(\.modulation) == [0, 0, 25, 0])
        #expect(spec.repeats && spec.level == ToneSpec.usualLevel)
    }

    @Test(arguments: [
        "", " ", "x", "425/", "425/0", "425/x", "/100", "425+/100", "+425", "1+2+3", "425*0", "425*", "425*200",
        "425*20*30",
        "10", "5000", "70000", "300+400+500+600+700", "425/100/100", "425/-5", "-425", "425/600001", "425,100", "4٢5",
    ])
    func invalidNotationIsRejected(_ notation: String) {
        #expect(ToneSpec(notation: notation) == nil)
    }

    @Test func notationIsLimited() {
        let most = Array(repeating: "425/100", count: ToneSpec.segmentLimit).joined(separator: " ")
        #expect(ToneSpec(notation: most)?.count == ToneSpec.segmentLimit)
        #expect(ToneSpec(notation: most + " 425/100") == nil)
        #expect(ToneSpec(notation: "425", level: 1) == nil && ToneSpec(segments: []) == nil)
    }

    @Test(arguments: Array("123A456B789C*0#D"))
    func keypadHasToneForEveryKey(_ key: Character) throws {
        let low = [697, 770, 852, 941]
        let high = [1_209, 1_336, 1_477, 1_633]
        let place = try #require(Array("123A456B789C*0#D").firstIndex(of: key))
        let spec = try #require(ToneSpec(key: key, milliseconds: 100))
        let samples = ToneTests.render(spec, milliseconds: 150)
        for frequency in low + high {
            let level = ToneDetector.level(of: frequency, in: samples.span.extracting(240..<4_560))
            let isPart = frequency == low[place / 4] || frequency == high[place % 4]
            #expect(isPart ? abs(level + 15) < 1 : level < -35, "\(frequency) Hz at \(level)")
        }
        #expect(samples.suffix(50 * 48).allSatisfy { $0 == 0 }, "a key sounds once")
    }

    @Test func otherKeysHaveNoTone() {
        #expect(ToneSpec(key: "E", milliseconds: 100) == nil && ToneSpec(key: ",", milliseconds: 100) == nil)
    }
}
