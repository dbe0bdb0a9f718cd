import Glibc
import Media
import Testing

/// Usual and hostile sound files.
@Suite
struct WaveReaderTests {
    private let folder = TestFolder()

    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000])
    func toneSurvivesAnySampleRate(rate: Int) throws {
        var wave = WaveBytes(rate: rate)
        wave.samples = WaveBytes.sine(1_000, rate: rate, seconds: 1)
        let sound = try read(wave.file)
        #expect(sound.count == 48_000)
        #expect(Self.distance(sound, from: WaveBytes.sine(1_000, rate: 48_000, seconds: 1)) < 40)
    }

    @Test(arguments: [8, 16, 24, 32], [1, 2, 8])
    func everyPCMFormatIsRead(bits: Int, channels: Int) throws {
        for isExtensible in [false, true] {
            let wave = WaveBytes(
                channels: channels, bits: bits, isExtensible: isExtensible,
                samples: WaveBytes.sine(440, rate: 48_000, seconds: 0.25))
            let sound = try read(wave.file)
            #expect(sound.count == 12_000)
            #expect(Self.distance(sound, from: wave.samples) < (bits == 8 ? 257 : 2))
        }
    }

    @Test func eightLoudChannelsDoNotOverflow() throws {
        let loud = try read(WaveBytes(channels: 8, bits: 32, samples: [Double](repeating: 1, count: 100)).file)
        #expect(loud == [Int16](repeating: 32_767, count: 100))
        let low = try read(WaveBytes(channels: 8, samples: [Double](repeating: -1, count: 100)).file)
        #expect(low == [Int16](repeating: -32_768, count: 100))
    }

    @Test func channelsAreMixed() throws {
        var wave = WaveBytes(channels: 2, samples: [0, 0])
        let form = wave.formChunk
        wave.channels = 1
        wave.samples = [0.5, -0.25, 0.25, 0.25]
        #expect(try read(WaveBytes.riff(form, wave.dataChunk)) == [4_096, 8_192])
    }

    @Test func chunksMayComeInAnyOrderAndUnknownOnesAreSkipped() throws {
        let wave = WaveBytes(samples: [0.25, 0.5])
        let odd = WaveBytes.chunk("LIST", [1, 2, 3])
        let expected: [Int16] = [8_192, 16_384]
        #expect(try read(WaveBytes.riff(odd, wave.formChunk, odd, wave.dataChunk, odd)) == expected)
        #expect(try read(WaveBytes.riff(wave.dataChunk, odd, wave.formChunk)) == expected)
    }

    @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 6, 5] as [UInt32])
    func falseLengthIsBoundedByFile(claim: UInt32) throws {
        let sound = try read(WaveBytes(claim: claim, samples: [0.25, 0.5]).file)
        #expect(sound == [8_192, 16_384])
    }

    @Test func truncatedFileIsReadAsFarAsItGoes() throws {
        let file = WaveBytes(bits: 24, samples: [0.25, 0.5]).file
        #expect(try read(Array(file.dropLast(2))) == [8_192])
        #expect(try read(WaveBytes().file).isEmpty)
    }

    @Test func nonSoundFileIsExplained() throws {
        let plain = WaveBytes(samples: [0])
        #expect(error([]) == .notWave(lacks: "RIFF/WAVE header"))
        #expect(error(Array("RIFF....AVI ".utf8)) == .notWave(lacks: "RIFF/WAVE header"))
        #expect(error(WaveBytes.riff(plain.dataChunk)) == .notWave(lacks: "form of its samples"))
        #expect(error(WaveBytes.riff(WaveBytes.chunk("fmt ", [1, 0]))) == .notWave(lacks: "form of its samples"))
        #expect(error(WaveBytes.riff(plain.formChunk)) == .notWave(lacks: "samples"))
        #expect(error(WaveBytes(format: 7).file) == .notPCM(format: 7))
        #expect(error(WaveBytes(format: 3, bits: 32, isExtensible: true).file) == .notPCM(format: 3))
        #expect(error(WaveBytes(rate: 7_999).file) == .strangeRate(7_999))
        #expect(error(WaveBytes(rate: 192_001).file) == .strangeRate(192_001))
        #expect(error(WaveBytes(channels: 9).file) == .strangeForm(bits: 16, channels: 9, frameBytes: 18))
        #expect(error(WaveBytes(channels: 0).file) == .strangeForm(bits: 16, channels: 0, frameBytes: 0))
        #expect(error(WaveBytes(bits: 12).file) == .strangeForm(bits: 12, channels: 1, frameBytes: 1))
    }

    @Test func searchForSoundIsBounded() {
        let parts = [UInt8](repeating: 0, count: 8 * 100_000)
        #expect(error(WaveBytes.riff(parts, WaveBytes().file)) == .notWave(lacks: "form of its samples"))
    }

    /// The pipe has no writer: opening it as a file would block forever.
    @Test func specialFileIsRefusedAtOnce() {
        let pipe = folder.path + "/pipe"
        unsafe mkfifo(pipe, 0o600)
        #expect(error(at: pipe) == .notRegular)
        #expect(error(at: folder.path) == .notRegular)
        #expect(error(at: "/dev/zero") == .notRegular)
        #expect(error(at: folder.path + "/nothing") == .system(ENOENT))
        #expect(WaveError.system(ENOENT).description == "No such file or directory")
    }

    @Test func onlyFilesBelowFolderAreOpened() throws {
        let (root, outside) = (folder.path + "/sounds", folder.path + "/outside")
        for path in [root, root + "/menu", outside] { unsafe mkdir(path, 0o700) }
        let bytes = WaveBytes(samples: [0.5]).file
        for path in [root + "/a.wav", root + "/menu/b.wav", outside + "/c.wav"] {
            _ = TestFolder.write(bytes, to: path)
        }
        unsafe symlink(root, folder.path + "/link")
        unsafe symlink(outside, root + "/way")
        unsafe symlink(outside + "/c.wav", root + "/c.wav")
        unsafe mkfifo(root + "/pipe", 0o600)
        for (name, place) in [("a.wav", root), ("menu/b.wav", root), ("b.wav", folder.path + "/link/menu")] {
            let size = try SoundFile(name, below: place).size
            #expect(size == bytes.count)
        }
        let names = ["", "/", "../outside/c.wav", "menu/../a.wav", "./a.wav", "/etc/passwd", "menu//b.wav", "a.wav/"]
        for name in names + ["a.wav\0"] { #expect(refusal(name, below: root) == .outside, "\(name)") }
        #expect(refusal("c.wav", below: root) == .system(ELOOP))
        #expect(refusal("way/c.wav", below: root) == .system(ENOTDIR))
        #expect(refusal("a.wav/b.wav", below: root) == .system(ENOTDIR))
        #expect(refusal("nothing/a.wav", below: root) == .system(ENOENT))
        #expect(refusal("pipe", below: root) == .notRegular)
        #expect(refusal("menu", below: root) == .notRegular)
        #expect(refusal("a.wav", below: root + "/nowhere") == .system(ENOENT))
    }

    private func refusal(_ name: String, below folder: String) -> WaveError? {
        do throws(WaveError) {
            _ = try SoundFile(name, below: folder)
            return nil
        } catch {
            return error
        }
    }

    /// Random bytes: each gives sound or an error.
    @Test func anyBytesGiveSoundOrError() throws {
        let file = WaveBytes(channels: 2, bits: 24, isExtensible: true, samples: [0.1, 0.2, 0.3]).file
        for place in file.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var broken = file
                broken[place] = value
                do throws(WaveError) { _ = try read(broken) } catch { #expect(!error.description.isEmpty) }
            }
        }
        for count in file.indices { _ = error(Array(file.prefix(count))) }
    }

    private func read(_ bytes: [UInt8]) throws(WaveError) -> [Int16] {
        try read(at: TestFolder.write(bytes, to: folder.path + "/sound.wav"))
    }

    private func read(at path: String) throws(WaveError) -> [Int16] {
        var reader = try WaveReader(path: path)
        var sound: [Int16] = []
        while true {
            let piece = try reader.read()
            if piece.isEmpty { return sound }
            #expect(piece.count < 6_000)
            sound += piece
        }
    }

    private func error(_ bytes: [UInt8]) -> WaveError? {
        error(at: TestFolder.write(bytes, to: folder.path + "/sound.wav"))
    }

    private func error(at path: String) -> WaveError? {
        do throws(WaveError) {
            _ = try read(at: path)
            return nil
        } catch {
            return error
        }
    }

    /// The largest difference, except at the ends, where a sine starts at once and a filter does not.
    private static func distance(_ sound: [Int16], from samples: [Double]) -> Double {
        let middle = zip(sound, samples).map { abs(Double($0) - 32_768 * $1) }.dropFirst(500).dropLast(500)
        return middle.max() ?? .infinity
    }
}
