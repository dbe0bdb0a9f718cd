import Base
import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// Calls recorded to files, with real engines: their content, and that no disk harms a call.
    @Suite
    struct RecordingTests {
        private typealias Note = TestConference.Note

        private let folder = TestFolder()

        private func settings(
            _ format: RecordingSettings.Format = .wav, beep: RecordingSettings.Beep? = nil
        ) -> RecordingSettings {
            var settings = RecordingSettings(folder: folder.path)
            (settings.format, settings.beep) = (format, beep)
            return settings
        }

        private func call(_ recording: RecordingSettings) throws -> TestCall {
            let call = try TestCall { $0.recording = recording }
            #expect(call.isUp())
            let start = WireFile.now()
            for (phone, note) in [(call.a, Note.here), (call.b, .left)] {
                phone.device.mouth.say(TestSignal.sine(Double(note.rawValue), amplitude: 4_000, seconds: 10), at: start)
            }
            return call
        }

        private func begin(_ phone: TestPhone) throws -> String {
            phone.perform(.record(TestPhone.call))
            let file = phone.log.wait { event -> String? in
                if case .recordingStarted(TestPhone.call, let file) = event { file } else { nil }
            }
            return try #require(file)
        }

        private func ends(_ phone: TestPhone) -> [RecordingEnd] {
            phone.log.all.compactMap { if case .recordingEnded(TestPhone.call, let end) = $0 { end } else { nil } }
        }

        private func finish(_ phone: TestPhone) -> Bool {
            phone.perform(.record(nil))
            return phone.log.wait(for: .recordingEnded(TestPhone.call, .stopped))
        }

        private func read(_ file: String) throws -> SoundFileReader {
            let bytes = TestFolder.bytes(file)
            return file.hasSuffix(".wav") ? try SoundFileReader(wave: bytes) : try SoundFileReader(ogg: bytes)
        }

        /// The notes that sound all through the last half second.
        ///
        /// They are measured in pieces of a tenth. `ClockBridge` bends a pitch by up to 0.5 %, and a longer piece
        /// would separate a note from one that is 6 Hz beside it.
        private func notes(_ side: [Int16]) -> Set<Note> {
            let pieces = (1...5).map { Array(side.dropLast((5 - $0) * 4_800).suffix(4_800)) }
            return Set(
                Note.allCases.filter { note in
                    pieces.allSatisfy { ToneDetector.level(of: note.rawValue, in: $0.span) > -45 }
                })
        }

        @Test(arguments: RecordingSettings.Format.allCases)
        func eachSideHasItsChannel(format: RecordingSettings.Format) throws {
            let call = try call(settings(format))
            // Sound that the person turned down is still recorded.
            call.a.perform(.volume(.call, 0))
            let start = WireFile.now()
            let file = try begin(call.a)
            listen(milliseconds: 1_500)
            #expect(finish(call.a))
            let seconds = Double(WireFile.now() - start) / 48_000
            let recorded = try read(file)
            #expect(notes(recorded.left) == [.here] && notes(recorded.right) == [.left])
            #expect(recorded.seconds > 1.3 && recorded.seconds < seconds + 0.05, "\(recorded.seconds) of \(seconds)")
            #expect(TestFolder.mode(file) == 0o600)
        }

        @Test
        func everyoneHearsBeep() throws {
            let call = try call(settings(beep: .init()))
            let start = WireFile.now()
            let file = try begin(call.a)
            listen(milliseconds: 700)
            #expect(finish(call.a))
            let ears = [call.a, call.b].map { $0.device.ear.heard(start..<start + 28_800) } + [try read(file).left]
            for ear in ears {
                let pieces = stride(from: 0, to: ear.count - 4_800, by: 2_400).map { Array(ear[$0..<$0 + 4_800]) }
                let loudest = pieces.map { ToneDetector.level(of: 1_400, in: $0.span) }.max()
                #expect(try #require(loudest) > -25)
            }
        }

        @Test
        func recordingEndsWithCallAndAnotherMayStart() throws {
            let call = try call(settings())
            let first = try begin(call.a)
            listen(milliseconds: 300)
            #expect(finish(call.a))
            call.a.perform(.record(TestPhone.call))
            listen(milliseconds: 300)
            call.a.perform(.release(TestPhone.call))
            for _ in 0..<50 where ends(call.a).count < 2 { listen(milliseconds: 100) }
            #expect(ends(call.a) == [.stopped, .stopped])
            let names = folder.files
            #expect(names.count == 2)
            for name in names { #expect(try read(folder.path + "/" + name).seconds > 0.2) }
            #expect(first.hasPrefix(folder.path))
        }

        @Test
        func shutdownCompletesRecording() throws {
            let call = try call(settings(.opus))
            let file = try begin(call.a)
            listen(milliseconds: 500)
            call.a.media.close()
            let recorded = try read(file)
            #expect(recorded.isEnded && recorded.seconds > 0.3)
        }

        @Test
        func recordingStopsAtLimit() throws {
            var settings = settings()
            settings.longest = .milliseconds(500)
            let call = try call(settings)
            let file = try begin(call.a)
            #expect(call.a.log.wait(for: .recordingEnded(TestPhone.call, .tooLong)))
            #expect(try read(file).left.count == 24_000)
            call.a.perform(.record(nil))
            _ = try begin(call.a)
        }

        @Test
        func withoutFolderNothingIsRecorded() throws {
            let call = try TestCall()
            call.a.perform(.record(TestPhone.call), .record(TestConference.second))
            #expect(ends(call.a) == [.failed("no folder is configured for recordings")])
        }

        @Test
        func endedCallReportsRecordingToo() throws {
            let call = try call(settings())
            call.a.perform(.release(TestPhone.call), .record(TestPhone.call))
            #expect(ends(call.a) == [.failed("out-1 has no media to record")])
        }

        /// A disk of 256 KiB is full after 1.3 s of WAV.
        @Test(.enabled(if: TinyDisk.isPossible), arguments: RecordingSettings.Format.allCases)
        func fullDiskEndsRecordingButNotCall(format: RecordingSettings.Format) throws {
            let (folder, settings) = (folder, settings(format))
            let result = TinyDisk.run(kibibytes: format == .wav ? 256 : 32, at: folder.path) { () -> Outcome? in
                guard let call = try? call(settings), let file = try? begin(call.a) else { return nil }
                let end = call.a.log.wait(seconds: 20) { event -> String? in
                    if case .recordingEnded(_, .failed(let text)) = event { text } else { nil }
                }
                let sent = call.a.media.statistics.packetsSent
                listen(milliseconds: 300)
                let isAlive = call.a.media.statistics.packetsSent > sent + 5
                return Outcome(end: end, bytes: TestFolder.bytes(file), isAlive: isAlive)
            }
            let outcome = try #require(result ?? nil)
            #expect(outcome.end?.hasSuffix("No space left on device") == true)
            #expect(outcome.isAlive)
            let recorded =
                format == .wav ? try SoundFileReader(wave: outcome.bytes) : try SoundFileReader(ogg: outcome.bytes)
            #expect(recorded.seconds >= 0.9 && notes(recorded.right) == [.left])
        }

        private struct Outcome: Sendable {
            let end: String?
            let bytes: [UInt8]
            let isAlive: Bool
        }

        // MARK: More than one call

        private func conference() throws -> TestConference {
            let conference = try TestConference { $0.recording = settings() }
            #expect(conference.join())
            conference.sing(seconds: 10)
            return conference
        }

        @Test
        func conferenceIsRecordedAsHeard() throws {
            let conference = try conference()
            let all = TestConference.Ears([.left, .right], [.here, .right], [.here, .left])
            #expect(conference.heard(expecting: all) == all)
            let file = try begin(conference.here)
            listen(milliseconds: 1_000)
            #expect(finish(conference.here))
            let recorded = try read(file)
            #expect(notes(recorded.left) == [.here])
            #expect(notes(recorded.right) == [.left, .right])
        }

        @Test
        func recordingIsSilentWhileOtherCallHasAudio() throws {
            let conference = try conference()
            let file = try begin(conference.here)
            conference.here.perform(.update(TestConference.first, conference.held))
            conference.share(false)
            listen(milliseconds: 1_000)
            #expect(finish(conference.here))
            let recorded = try read(file)
            #expect(recorded.seconds > 0.8, "time passes")
            #expect(notes(recorded.left).isEmpty && notes(recorded.right).isEmpty)
        }

        @Test
        func mutedMicrophoneIsRecordedAsSent() throws {
            let call = try call(settings())
            call.a.perform(.microphone(TestPhone.call, open: false))
            let file = try begin(call.a)
            listen(milliseconds: 800)
            #expect(finish(call.a))
            let recorded = try read(file)
            #expect(notes(recorded.left).isEmpty && notes(recorded.right) == [.left])
        }
    }
}
