import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// Files played into calls, with real engines: their listeners, their level, and their end.
    @Suite
    struct FilePlayingTests {
        private typealias Note = TestConference.Note
        /// The content of files: a note that no person uses.
        private static let note = 2_000
        /// Above this level, in dB, it is present.
        private static let threshold = -45.0

        private let folder = TestFolder()

        private func write(_ name: String, seconds: Double, rate: Int = 48_000) {
            // As loud as the notes of the others.
            let samples = WaveBytes.sine(Double(Self.note), rate: rate, seconds: seconds).map { $0 * 4_000 / 16_384 }
            _ = TestFolder.write(WaveBytes(rate: rate, samples: samples).file, to: folder.path + "/" + name)
        }

        private func file(_ name: String, _ number: UInt32 = 1) -> MediaEffect {
            .play(Playback(number: number, call: TestPhone.call, file: name))
        }

        private func call() throws -> TestCall {
            let call = try TestCall { $0.playingFolder = folder.path }
            #expect(call.isUp())
            let start = WireFile.now()
            for (phone, note) in [(call.a, Note.here), (call.b, .left)] {
                phone.device.mouth.say(TestSignal.sine(Double(note.rawValue), amplitude: 4_000, seconds: 10), at: start)
            }
            return call
        }

        /// The level of a note in the last 80 ms at an ear: no longer than most machines run between two stalls.
        private func level(_ note: Int, at phone: TestPhone) -> Double {
            let end = WireFile.now() - 30 * 48
            return Double(ToneDetector.level(of: note, in: phone.device.ear.heard(end - 80 * 48..<end).span))
        }

        private func isPlayed(at phone: TestPhone) -> Bool { level(Self.note, at: phone) > Self.threshold }

        /// A stalling machine breaks a note, and then the test listens again.
        private func eventually(_ condition: () -> Bool) -> Bool {
            for _ in 0..<36 where !condition() { listen(milliseconds: 100) }
            return condition()
        }

        @Test(arguments: [8_000, 44_100, 48_000])
        func farEndsHearFileUnchangedAndEarHearsItSofter(rate: Int) throws {
            write("a.wav", seconds: 8, rate: rate)
            let call = try call()
            call.a.perform(file("a.wav"))
            #expect(call.a.log.wait(for: .playbackStarted(1)))
            let isRight = eventually {
                let (there, mine) = (level(Self.note, at: call.b), level(Note.here.rawValue, at: call.b))
                let (here, theirs) = (level(Self.note, at: call.a), level(Note.left.rawValue, at: call.a))
                return abs(there - mine) < 1.5 && abs(theirs - here - 12) < 1.5
            }
            #expect(isRight, "\([call.b, call.a].map { level(Self.note, at: $0) })")
        }

        @Test
        func playbackEndsAfterFileWasHeard() throws {
            write("a.wav", seconds: 1)
            let call = try call()
            let start = WireFile.now()
            call.a.perform(file("a.wav"))
            #expect(call.a.log.wait(for: .playbackEnded(1, .finished)))
            #expect(WireFile.now() - start > 48_000 * 9 / 10, "not before it was heard")
            #expect(eventually { !isPlayed(at: call.a) && !isPlayed(at: call.b) })
            #expect(eventually { TestConference.heard(at: call.b) == [.here] }, "the microphone is as it was")
        }

        @Test
        func muteAffectsMicrophoneOnly() throws {
            write("a.wav", seconds: 8)
            let call = try call()
            call.a.perform(.microphone(TestPhone.call, open: false), file("a.wav"))
            #expect(eventually { isPlayed(at: call.b) && TestConference.heard(at: call.b).isEmpty })
        }

        @Test
        func stopEndsFileAndAnotherMayStart() throws {
            write("a.wav", seconds: 30)
            write("b.wav", seconds: 0.5)
            let call = try call()
            call.a.perform(file("a.wav"))
            #expect(eventually { isPlayed(at: call.b) })
            call.a.perform(.play(nil))
            #expect(call.a.log.wait(for: .playbackEnded(1, .stopped)))
            #expect(eventually { !isPlayed(at: call.b) })
            call.a.perform(file("a.wav", 2))
            #expect(call.a.log.wait(for: .playbackStarted(2)))
            call.a.perform(file("b.wav", 3))
            #expect(call.a.log.wait(for: .playbackEnded(2, .stopped)))
            #expect(call.a.log.wait(for: .playbackEnded(3, .finished)))
        }

        @Test
        func playbackEndsWithCallAndPhone() throws {
            write("a.wav", seconds: 30)
            let call = try call()
            call.a.perform(file("a.wav"))
            #expect(call.a.log.wait(for: .playbackStarted(1)))
            call.b.perform(file("a.wav"))
            #expect(call.b.log.wait(for: .playbackStarted(1)))
            call.a.perform(.release(TestPhone.call))
            #expect(call.a.log.wait(for: .playbackEnded(1, .stopped)))
            call.b.media.close()
        }

        @Test
        func unplayableFileIsExplained() throws {
            _ = TestFolder.write(Array("no sound".utf8), to: folder.path + "/a.txt")
            let call = try call()
            let gone = TestConference.second
            call.a.perform(
                file("a.txt", 1), file("../a.wav", 2), file("b.wav", 3),
                .play(Playback(number: 4, call: gone, file: "a.wav")), .play(nil))
            for (number, text) in [
                "a.txt: not a WAVE file: it has no RIFF/WAVE header",
                "../a.wav: not a name below the folder of files to play",
                "b.wav: No such file or directory", "\(gone) has no media to play into",
            ].enumerated() {
                #expect(call.a.log.wait(for: .playbackEnded(UInt32(number + 1), .failed(text))))
            }
            let other = try TestCall()
            other.a.perform(file("a.wav"))
            #expect(
                other.a.log.wait(for: .playbackEnded(1, .failed("no folder is configured for files to play"))))
        }

        @Test
        func fileIsHeardInConferenceAndRecording() throws {
            write("a.wav", seconds: 12)
            let recordings = TestFolder()
            let conference = try TestConference {
                $0.playingFolder = folder.path
                $0.recording = RecordingSettings(folder: recordings.path)
                $0.recording?.format = .wav
                $0.recording?.beep = nil
            }
            #expect(conference.join())
            conference.sing(seconds: 10)
            conference.here.perform(file("a.wav"))
            #expect(eventually { isPlayed(at: conference.left) && isPlayed(at: conference.right) })
            conference.here.perform(.record(TestPhone.call))
            listen(milliseconds: 1_000)
            conference.here.perform(.record(nil))
            #expect(conference.here.log.wait(for: .recordingEnded(TestPhone.call, .stopped)))
            let name = try #require(recordings.files.first)
            let recorded = try SoundFileReader(wave: TestFolder.bytes(recordings.path + "/" + name))
            let sides = [recorded.left, recorded.right].map { Array($0.suffix(24_000)) }
            let levels = sides.map { Double(ToneDetector.level(of: Self.note, in: $0.span)) }
            #expect(levels[0] > Self.threshold && levels[1] < Self.threshold, "\(levels)")
        }
    }
}
