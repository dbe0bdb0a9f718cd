import Media
import PhoneCore
import SoundCore
import Synchronization
import Testing

extension RealTime {
    /// The files that a ring may use.
    @Suite struct RingFileTests {
        /// The level of a sine of half of full scale, in dBm0.
        private static let level = -2.9

        private let folder = TestFolder()

        private func write(_ name: String, pitch: Double = 500, rate: Int = 44_100, seconds: Double) -> String {
            var wave = WaveBytes(rate: rate)
            wave.samples = WaveBytes.sine(pitch, rate: rate, seconds: seconds)
            return TestFolder.write(wave.file, to: folder.path + "/" + name)
        }

        @Test func thirtySecondsOfAnyRateAreRead() throws {
            let sound = try RingFile.read(write("long.wav", rate: 8_000, seconds: 30))
            #expect(abs(sound.count - 30 * 48_000) < 480)
            let middle = Array(sound[480_000..<528_000])
            #expect(abs(ToneDetector.level(of: 500, in: middle.span) - Self.level) < 0.5)
        }

        @Test func longFileIsRefused() {
            let file = write("long.wav", rate: 8_000, seconds: 30.1)
            #expect(throws: RingFile.Failure.tooLong(seconds: 30)) { try RingFile.read(file) }
        }

        @Test func nonSoundFileIsNamed() {
            #expect(throws: RingFile.Failure.empty) { try RingFile.read(write("empty.wav", seconds: 0)) }
            #expect(throws: RingFile.Failure.wave(.system(2))) { try RingFile.read(folder.path + "/nowhere.wav") }
            #expect(throws: RingFile.Failure.wave(.notRegular)) { try RingFile.read(folder.path) }
        }

        @Test func fileRepeats() throws {
            let ringer = WireRig.installed.device()
            // A sound and a pause: the file's own cadence is the ring's.
            var wave = WaveBytes(rate: 24_000)
            wave.samples = WaveBytes.sine(500, rate: 24_000, seconds: 0.3) + Array(repeating: 0, count: 4_800)
            let file = TestFolder.write(wave.file, to: folder.path + "/bell.wav")
            let phone = try TestPhone {
                $0.ringer = .init(device: ringer.name)
                $0.ringer?.file = file
            }
            listen(milliseconds: 200)
            phone.perform(.volume(.ring, 10), .ring(Self.ring(nil)))
            listen(milliseconds: 100)
            var (heard, parts) = ([Int16](), [ToneDetector.Stretch]())
            for _ in 0..<4 where !parts.isRing {
                listen(milliseconds: 2_200)
                heard = ringer.ear.heard(WireFile.now() - 2_200 * 48..<WireFile.now())
                parts = ToneDetector.cadence(in: heard.span)
            }
            #expect(parts.isRing, "\(parts)")
            let sound = Array(heard[try #require(parts.dropFirst().first { $0.isOn }).range])
            #expect(abs(ToneDetector.level(of: 500, in: sound.span) - Self.level) < 1, "as loud as the file has it")
            phone.perform(.ring(nil))
            listen(milliseconds: 300)
            #expect(ringer.ear.heard(WireFile.now() - 200 * 48..<WireFile.now()).allSatisfy { $0 == 0 })
        }

        @Test func namedRingsHaveTheirFiles() throws {
            let ringer = WireRig.installed.device()
            let (usual, door) = (write("usual.wav", pitch: 500, seconds: 2), write("door.wav", pitch: 700, seconds: 2))
            let phone = try TestPhone {
                $0.ringer = .init(device: ringer.name)
                $0.ringer?.file = usual
                $0.ringer?.files = ["door": door]
            }
            listen(milliseconds: 300)
            for (name, pitch) in [(nil, 500), ("door", 700), ("office", 1_000), (nil, 500)] {
                phone.perform(.ring(Self.ring(name)))
                listen(milliseconds: 500)
                let heard = ringer.ear.heard(WireFile.now() - 200 * 48..<WireFile.now())
                for place in [500, 700, 1_000] {
                    let level = ToneDetector.level(of: place, in: heard.span)
                    #expect(place == pitch ? level > -25 : level < -45, "\(name ?? "usual"): \(place) Hz at \(level)")
                }
            }
        }

        @Test func unusableFileIsReportedAndRingIsGenerated() throws {
            let ringer = WireRig.installed.device()
            var settings = ringer.settings
            settings.devices = [:]
            settings.ringer = .init(device: ringer.name)
            settings.ringer?.file = "/nowhere/bell.wav"
            let told = Notices()
            let media = Media(settings: settings, post: { _ in }, notice: { told.add($0) })
            try media.configure()
            defer { media.close() }
            media.perform(.ring(Self.ring(nil)))
            listen(milliseconds: 500)
            let heard = ringer.ear.heard(WireFile.now() - 200 * 48..<WireFile.now())
            #expect(ToneDetector.level(of: 1_000, in: heard.span) > -25)
            let texts = told.all.map(\.description).filter { $0.contains("/nowhere/bell.wav") }
            #expect(texts.count == 1 && texts.allSatisfy { $0.contains("No such file") }, "\(told.all)")
        }

        private static func ring(_ name: String?) -> Ring {
            Ring(name: name, cadence: RingCadence([.seconds(5), .seconds(1)]))
        }
    }
}

private final class Notices: Sendable {
    private let notices = Mutex<[MediaNotice]>([])
    func add(_ notice: MediaNotice) { notices.withLock { $0.append(notice) } }
    var all: [MediaNotice] { notices.withLock { $0 } }
}
