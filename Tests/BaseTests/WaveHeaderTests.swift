import Base
import Testing

@Suite struct WaveHeaderTests {
    /// Written by hand from the RIFF/WAVE format.
    @Test func headerMatchesFormat() {
        let header = WaveHeader(channels: 2, rate: 48_000, length: 1_000).bytes
        #expect(header.count == WaveHeader.size)
        #expect(header[..<8] == [0x52, 0x49, 0x46, 0x46, 0x0C, 0x04, 0, 0])
        #expect(Array(header[8..<24]) == Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 2, 0])
        #expect(header[24..<36] == [0x80, 0xBB, 0, 0, 0x00, 0xEE, 0x02, 0, 4, 0, 16, 0])
        #expect(Array(header[36...]) == Array("data".utf8) + [0xE8, 0x03, 0, 0])
    }

    @Test func lengthIsCappedAtMaximum() {
        let header = WaveHeader(channels: 1, rate: 48_000, length: 5_000_000_000).bytes
        #expect(header[4..<8] == [255, 255, 255, 255] && header[40...] == [255, 255, 255, 255])
    }
}
