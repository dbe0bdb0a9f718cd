import Base
import Glibc
import HostStalls
import Media
import PhoneCore
import Platform
import Synchronization
import Testing

extension RealTime {
    /// The watchdog's check of the audio threads. Each is made to hang in turn.
    @Suite
    struct ProbeTests {
        /// The threads that have not answered the former probe.
        private static func silent(_ media: Media, after milliseconds: Int = 300) -> Set<String> {
            for probe in media.probes { probe.ask(at: MonotonicClock.now()) }
            listen(milliseconds: milliseconds)
            return Set(media.probes.filter { $0.ask(at: MonotonicClock.now()) != nil }.map(\.name))
        }

        /// Until exactly these threads do not answer.
        private static func areSilent(_ threads: Set<String>, _ media: Media) -> Bool {
            (0..<20).contains { _ in silent(media, after: 100) == threads }
        }

        @Test
        func livingThreadsAnswerEachProbe() throws {
            let folder = TestFolder()
            let phone = try TestPhone {
                $0.recording = RecordingSettings(folder: folder.path)
                $0.playingFolder = folder.path
            }
            let names = Set(phone.media.probes.map(\.name))
            #expect(
                names == [
                    "media-audio", "media-network", "media-events", "media-devices", "media-connect", "media-recorder",
                    "media-player",
                ])
            for _ in 0..<5 { #expect(Self.areSilent([], phone.media)) }
            let call = try TestCall()
            #expect(call.isUp())
            for _ in 0..<5 { #expect(Self.areSilent([], call.a.media)) }
        }

        /// The reporting thread is stuck in its receiver.
        @Test
        func hangingReportThreadIsDetected() throws {
            let gate = Mutex(())
            var settings = WireRig.installed.device().settings
            settings.silenceAfter = .milliseconds(200)
            let media = Media(
                settings: settings, post: { if case .silent = $0 { gate.withLock { _ in } } })
            try media.configure()
            let other = try TestPhone()
            #expect(other.open())
            gate.withLock { _ in
                media.perform(.open(TestPhone.call, .direct))
                media.perform(.connect(TestPhone.call, other.plan(to: other, milliseconds: 20, protection: nil)))
                media.perform(.activate(TestPhone.call))
                #expect(Self.areSilent(["media-events"], media))
            }
            #expect(Self.areSilent([], media))
            media.close()
            #expect(media.probes.isEmpty, "no thread is none that hangs")
        }

        @Test
        func blockedDeviceOpenIsDetected() throws {
            let slow = WireRig.installed.device()
            let other = try TestPhone {
                $0.devices = [.handset: .init(capture: slow.name, playback: slow.name)]
            }
            slow.begin(.hangopen)
            other.perform(.tone(.busy))
            #expect(Self.areSilent(["media-devices"], other.media))
            slow.end(.hangopen)
            #expect(Self.areSilent([], other.media))
        }

        @Test
        func hangingRecorderIsDetectedButNotVital() throws {
            let folder = TestFolder()
            let gate = Mutex(())
            let device = WireRig.installed.device()
            var settings = device.settings
            settings.recording = RecordingSettings(folder: folder.path)
            let media = Media(
                settings: settings, post: { if case .recordingEnded = $0 { gate.withLock { _ in } } })
            try media.configure()
            let other = try TestPhone()
            #expect(other.open())
            media.perform(.open(TestPhone.call, .direct))
            media.perform(.connect(TestPhone.call, other.plan(to: other, milliseconds: 20, protection: nil)))
            media.perform(.activate(TestPhone.call))
            gate.withLock { _ in
                media.perform(.record(TestPhone.call))
                listen(milliseconds: 200)
                media.perform(.record(nil))
                #expect(Self.areSilent(["media-recorder"], media))
            }
            #expect(media.probes.first { $0.name == "media-recorder" }?.isVital == false)
            media.close()
        }

        /// The library of a dead sound server: no call into it returns.
        @Test
        func hangingAudioThreadIsReportedAndAbandoned() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let phone = call.a
            phone.device.begin(.hang)
            #expect(Self.areSilent(["media-audio"], phone.media))
            let lost = { phone.log.count { if case .deviceLost(.handset, _) = $0 { true } else { false } } }
            for _ in 0..<300 where lost() < 2 { listen(milliseconds: 20) }
            #expect(lost() == 2, "its microphone and its earpiece")
            let reasons = phone.log.all.compactMap { if case .deviceLost(_, let reason) = $0 { reason } else { nil } }
            #expect(reasons.allSatisfy { $0.contains("media-audio hangs") }, "\(reasons)")
            // The next call reports the reason.
            let next = CallID(.phone, 2)
            var reason: String?
            for _ in 0..<400 where reason == nil {
                phone.perform(.open(next, .direct))
                reason = phone.log.wait(seconds: 0) { if case .failed(next, let why) = $0 { why } else { nil } }
                phone.perform(.release(next))
                listen(milliseconds: 20)
            }
            #expect(reason?.contains("media-audio hangs") == true)
            let began = MonotonicClock.now()
            #expect(phone.media.close(by: began + .milliseconds(500)) == [.mediaAudio])
            #expect(MonotonicClock.now() - began < .seconds(1), "it is not waited for forever")
            phone.device.end(.hang)
        }

        /// It was only late.
        @Test
        func recoveredAudioThreadIsReported() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let phone = call.a
            phone.device.begin(.hang)
            let isLost = phone.log.wait { if case .deviceLost(.handset, _) = $0 { true } else { nil } }
            #expect(isLost == true)
            phone.device.end(.hang)
            #expect(phone.log.wait(for: .deviceFound(.handset)))
            listen(milliseconds: 300)
            let carried = call.carry(seconds: 1)
            #expect(try #require(carried).correlation > 0.8)
        }
    }
}
