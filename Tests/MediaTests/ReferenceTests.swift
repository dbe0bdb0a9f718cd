import AllocationWatch
import Media
import PhoneCore
import ReferenceWatch
import Testing

extension RealTime {
    /// References that the real-time threads count while sound passes: each is a write to memory that other threads
    /// write, too.
    ///
    /// Only in optimised code, as it ships.
    @Suite(.enabled(if: !_isDebugAssertConfiguration() && allocation_watch_is_live() == 1))
    struct ReferenceTests {
        private final class Thing {}

        /// The watch detects references: it sees this test's own.
        private func watchSeesThisThread() -> Bool {
            let things = (0..<8).map { _ in Thing() }
            unsafe allocation_watch_begin("")
            let before = reference_watch_count()
            let copies = things.shuffled()
            let seen = reference_watch_count() - before
            allocation_watch_begin(nil)
            return copies.count == things.count && seen > 0
        }

        private func count(milliseconds: Int = 1_000) -> Int {
            #expect(watchSeesThisThread())
            unsafe allocation_watch_begin("media-audio|media-network")
            let before = reference_watch_count()
            listen(milliseconds: milliseconds)
            let counted = reference_watch_count() - before
            allocation_watch_begin(nil)
            return counted
        }

        @Test(arguments: AudioCodec.allCases)
        func callCountsNoReferences(codec: AudioCodec) throws {
            let call = try TestCall(codec)
            #expect(call.isUp())
            for phone in [call.a, call.b] {
                phone.device.mouth.say(TestSignal.speech(seconds: 2), at: WireFile.now())
            }
            listen(milliseconds: 300)
            #expect(count() == 0)
        }

        @Test func callWithDTLSCountsNoReferences() throws {
            let call = try TestCall(handshakeBegunByA: false)
            #expect(call.connect() && call.isUp())
            listen(milliseconds: 300)
            #expect(count() == 0)
        }

        @Test func callInClearCountsNoReferences() throws {
            let call = try TestCall(isProtected: false)
            #expect(call.isUp())
            listen(milliseconds: 300)
            #expect(count() == 0)
        }

        @Test func processedMicrophoneCountsNoReferences() throws {
            let call = try TestCall { $0.devices[.handset]?.processing = .everything }
            #expect(call.isUp())
            listen(milliseconds: 300)
            #expect(count() == 0)
        }

        @Test func conferenceCountsNoReferences() throws {
            let conference = try TestConference()
            #expect(conference.join())
            conference.sing(seconds: 3)
            listen(milliseconds: 300)
            #expect(count() == 0)
        }

        @Test func recordingAndPlayedFileCountNoReferences() throws {
            let folder = TestFolder()
            let samples = WaveBytes.sine(2_000, rate: 44_100, seconds: 3).map { $0 / 8 }
            _ = TestFolder.write(WaveBytes(rate: 44_100, samples: samples).file, to: folder.path + "/a.wav")
            let call = try TestCall {
                $0.recording = RecordingSettings(folder: folder.path)
                $0.playingFolder = folder.path
            }
            #expect(call.isUp())
            call.a.perform(
                .record(TestPhone.call), .play(Playback(number: 1, call: TestPhone.call, file: "a.wav")))
            #expect(call.a.log.wait(for: .playbackStarted(1)))
            listen(milliseconds: 300)
            #expect(count() == 0)
            call.a.perform(.record(nil))
            #expect(call.a.log.wait(for: .recordingEnded(TestPhone.call, .stopped)))
        }

        /// A ring from a file, on the thread that has the call.
        @Test func ringCountsNoReferences() throws {
            let folder = TestFolder()
            var wave = WaveBytes()
            wave.samples = WaveBytes.sine(500, rate: 48_000, seconds: 0.2)
            let file = TestFolder.write(wave.file, to: folder.path + "/bell.wav")
            let call = try TestCall { settings in
                settings.ringer = settings.devices[.handset].map { .init(device: $0.playback) }
                settings.ringer?.files = ["bell": file]
            }
            #expect(call.isUp())
            call.a.perform(.ring(Ring(name: "bell", cadence: .init([.milliseconds(100), .milliseconds(50)]))))
            listen(milliseconds: 300)
            #expect(count() == 0)
        }
    }
}
