import Base
import Comparison
import Media
import PhoneCore
import SoundCore
import Testing

/// Recordings as bytes, without a disk: written by the phone, and read by these tests' reader.
@Suite
struct SoundFileFormatTests {
    /// Our side has 500 Hz, the far end 1,300 Hz.
    private static func sound(frames: Int) -> [Int16] {
        let (ours, theirs) = (
            TestSignal.sine(500, amplitude: 8_000, seconds: 60), TestSignal.sine(1_300, amplitude: 8_000, seconds: 60)
        )
        return (0..<frames).flatMap { [ours[$0], theirs[$0]] }
    }

    private static func opus() throws -> OggOpusFormat { try OggOpusFormat(stream: 0xCAFE_F00D, complexity: 5) }

    /// A file that got sound in pieces of this size.
    private static func file<Format: SoundFileFormat & ~Copyable>(
        _ sound: [Int16], by format: consuming Format, pieces: Int
    ) -> [UInt8] {
        var bytes = format.opening(of: 0)
        for start in stride(from: 0, to: sound.count, by: pieces) {
            bytes += format.add(Array(sound[start..<min(sound.count, start + pieces)]))
        }
        bytes += format.finish()
        let opening = format.opening(of: bytes.count)
        return opening + bytes.dropFirst(opening.count)
    }

    private static func level(_ frequency: Int, _ sound: [Int16]) -> Double {
        let middle = Array(sound.dropFirst(4_800).prefix(24_000))
        return ToneDetector.level(of: frequency, in: middle.span)
    }

    @Test(arguments: [0, 1, 480, 48_000, 100_001])
    func waveFileIsExact(frames: Int) throws {
        let sound = Self.sound(frames: frames)
        let read = try SoundFileReader(wave: Self.file(sound, by: WaveWriter(), pieces: 7_002))
        #expect(Mismatch(read.left, stride(from: 0, to: sound.count, by: 2).map { sound[$0] }) == nil)
        #expect(Mismatch(read.right, stride(from: 1, to: sound.count, by: 2).map { sound[$0] }) == nil)
    }

    @Test func waveFileBeyondFourGigabytesHasLargestLength() {
        let opening = WaveWriter().opening(of: 5_000_000_000)
        #expect(opening[4..<8] == [255, 255, 255, 255] && opening[40..<44] == [255, 255, 255, 255])
    }

    /// The length is exact to the sample, however it fits the packets of 20 ms and the pages of a second.
    @Test(arguments: [0, 1, 647, 648, 649, 959, 960, 961, 47_999, 48_000, 48_001, 150_000])
    func opusFileHasEverySample(frames: Int) throws {
        let read = try SoundFileReader(ogg: Self.file(Self.sound(frames: frames), by: Self.opus(), pieces: 9_998))
        #expect(read.left.count == frames && read.right.count == frames)
        #expect(read.isEnded)
    }

    @Test func opusFileSeparatesSides() throws {
        let read = try SoundFileReader(ogg: Self.file(Self.sound(frames: 96_000), by: Self.opus(), pieces: 960))
        #expect(Self.level(500, read.left) > -13 && Self.level(1_300, read.left) < -40)
        #expect(Self.level(1_300, read.right) > -13 && Self.level(500, read.right) < -40)
    }

    @Test func crashKeepsAllPagesButLast() throws {
        let bytes = Self.file(Self.sound(frames: 480_000), by: try Self.opus(), pieces: 96_000)
        let whole = try SoundFileReader(ogg: bytes)
        #expect(whole.pages == 2 + 10 + 1, "head, tags, a page for each second, what the lead pushes out")
        // A crash after any page keeps everything before it.
        var format = try Self.opus()
        var cut = format.opening(of: 0)
        cut += format.add(Self.sound(frames: 240_000))
        let read = try SoundFileReader(ogg: cut)
        #expect(!read.isEnded && read.seconds > 3.9 && read.seconds < 5)
    }

    @Test func checksumMatchesStandard() {
        #expect(OggPage.checksum(Array("123456789".utf8)) == 0x89A1_897F)
    }

    @Test(arguments: [0, 1, 254, 255, 256, 510, 1_275])
    func packetsOfAnyLengthAreWritten(length: Int) {
        let packet = [UInt8](repeating: 7, count: length)
        let page = OggPage(.middle, granule: 1, stream: 2, number: 3, packets: [packet, [9]]).bytes
        let segments = Int(page[26])
        #expect(segments == OggPage.segments(packet) + 1)
        #expect(page.count == 27 + segments + length + 1)
        #expect(page[27 + segments - 2] < 255 && page[27 + segments - 1] == 1)
    }

    @Test func fileNameHasTimeAndCallOnly() {
        let name = RecordingName(parts: [2026, 11, 22, 1, 2, 3], call: CallID(.line(AccountID(1)), 7))
        #expect(name.text(suffix: "opus", attempt: 1) == "20261122-010203-in-1.7.opus")
        #expect(name.text(suffix: "wav", attempt: 2) == "20261122-010203-in-1.7-2.wav")
    }
}
