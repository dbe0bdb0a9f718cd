import AllocationWatch
import Glibc
import HostStalls
import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// The heap requests and locks of the real-time threads in a running call, while digits, tones and clicks pass.
    ///
    /// Only in optimised code, as it ships: without optimisation Swift itself allocates temporaries.
    @Suite(.enabled(if: !_isDebugAssertConfiguration() && allocation_watch_is_live() == 1))
    struct AllocationTests {
        /// The watch detects allocations and locks: it sees this test's own.
        private func watchSeesThisThread() -> Bool {
            unsafe allocation_watch_begin("")
            let text = String(repeating: "x", count: 4_096)
            let (seen, locked) = (allocation_watch_count(), lockOnce())
            allocation_watch_begin(nil)
            return text.utf8.count == 4_096 && seen > 0 && locked == 1
        }

        private func lockOnce() -> Int {
            let before = allocation_watch_locks()
            var mutex = unsafe pthread_mutex_t()
            unsafe pthread_mutex_lock(&mutex)
            unsafe pthread_mutex_unlock(&mutex)
            return allocation_watch_locks() - before
        }

        @Test(arguments: AudioCodec.allCases)
        func audioThreadAllocatesNothing(codec: AudioCodec) throws {
            let call = try TestCall(codec, milliseconds: 10)
            let count = try requests(of: "media-audio", in: call)
            #expect(count == 0)
        }

        @Test
        func processedMicrophoneAllocatesNothing() throws {
            let call = try TestCall(milliseconds: 10) { $0.devices[.handset]?.processing = .everything }
            let count = try requests(of: "media-audio", in: call)
            #expect(count == 0)
        }

        @Test
        func conferenceAllocatesNothing() throws {
            #expect(watchSeesThisThread())
            let conference = try TestConference(milliseconds: 10)
            #expect(conference.join())
            conference.sing(seconds: 3)
            listen(milliseconds: 300)
            unsafe allocation_watch_begin("media-audio")
            conference.share(false)
            conference.share(true)
            conference.here.perform(.pause(true), .pause(false))
            listen(milliseconds: 1_000)
            let count = allocation_watch_count()
            allocation_watch_begin(nil)
            #expect(count == 0)
            #expect(TestConference.heard(at: conference.right).contains(.left))
        }

        @Test(arguments: RecordingSettings.Format.allCases)
        func recordingAllocatesNothing(format: RecordingSettings.Format) throws {
            let folder = TestFolder()
            let call = try TestCall(milliseconds: 10) {
                $0.recording = RecordingSettings(folder: folder.path)
                $0.recording?.format = format
            }
            #expect(call.isUp())
            call.a.perform(.record(TestPhone.call))
            let count = try requests(of: "media-audio", in: call)
            #expect(count == 0)
            call.a.perform(.record(nil))
            #expect(call.a.log.wait(for: .recordingEnded(TestPhone.call, .stopped)))
        }

        /// A played file is watched from its beginning to its end, and beyond.
        @Test
        func playedFileAllocatesNothing() throws {
            let folder = TestFolder()
            let samples = WaveBytes.sine(2_000, rate: 44_100, seconds: 1).map { $0 / 8 }
            _ = TestFolder.write(WaveBytes(rate: 44_100, samples: samples).file, to: folder.path + "/a.wav")
            let call = try TestCall(milliseconds: 10) { $0.playingFolder = folder.path }
            #expect(call.isUp())
            let file = { MediaEffect.play(Playback(number: $0, call: TestPhone.call, file: "a.wav")) }
            unsafe allocation_watch_begin("media-audio")
            call.a.perform(file(1))
            #expect(call.a.log.wait(for: .playbackEnded(1, .finished)))
            call.a.perform(file(2), file(3))
            #expect(call.a.log.wait(for: .playbackStarted(3)))
            call.a.perform(.play(nil))
            listen(milliseconds: 300)
            let count = allocation_watch_count()
            allocation_watch_begin(nil)
            #expect(count == 0)
        }

        /// Hold music is watched from the hold to the resumption.
        @Test
        func holdMusicAllocatesNothing() throws {
            #expect(watchSeesThisThread())
            let folder = TestFolder()
            var wave = WaveBytes()
            wave.samples = WaveBytes.sine(2_000, rate: 48_000, seconds: 0.2)
            let file = TestFolder.write(wave.file, to: folder.path + "/music.wav")
            let call = try TestCall(milliseconds: 10) { $0.holdMusic = file }
            #expect(call.isUp())
            listen(milliseconds: 300)
            var held = call.planA
            held.receives = false
            unsafe allocation_watch_begin("media-audio")
            for _ in 0..<3 {
                call.a.perform(
                    .microphone(TestPhone.call, open: false), .update(TestPhone.call, held),
                    .holdMusic(TestPhone.call, on: true))
                listen(milliseconds: 300)
                call.a.perform(
                    .update(TestPhone.call, call.planA), .holdMusic(TestPhone.call, on: false),
                    .microphone(TestPhone.call, open: true))
                listen(milliseconds: 200)
            }
            call.a.perform(.update(TestPhone.call, held), .holdMusic(TestPhone.call, on: true))
            listen(milliseconds: 600)
            let count = allocation_watch_count()
            allocation_watch_begin(nil)
            #expect(count == 0)
            let end = WireFile.now()
            let heard = call.b.device.ear.heard(end - 300 * 48..<end)
            #expect(ToneDetector.level(of: 2_000, in: heard.span) > -25, "it was the music that asked nothing")
        }

        /// The watched thread has the calls, and one of its devices is the ringer. The ring is generated, from a file,
        /// and changing.
        @Test
        func ringAllocatesNothing() throws {
            #expect(watchSeesThisThread())
            let folder = TestFolder()
            var wave = WaveBytes()
            wave.samples = WaveBytes.sine(500, rate: 48_000, seconds: 0.2)
            let file = TestFolder.write(wave.file, to: folder.path + "/bell.wav")
            let call = try TestCall(milliseconds: 10) { settings in
                settings.ringer = settings.devices[.handset].map { .init(device: $0.playback) }
                settings.ringer?.files = ["bell": file]
            }
            #expect(call.isUp())
            let generated = Ring(name: nil, cadence: .init([.milliseconds(100), .milliseconds(50)]))
            listen(milliseconds: 300)
            unsafe allocation_watch_begin("media-audio")
            for _ in 0..<3 {
                for ring in [generated, Ring(name: "bell", cadence: generated.cadence), nil] {
                    call.a.perform(.ring(ring))
                    listen(milliseconds: 150)
                }
            }
            call.a.perform(.ring(Ring(name: "bell", cadence: generated.cadence)))
            listen(milliseconds: 300)
            let count = allocation_watch_count()
            allocation_watch_begin(nil)
            #expect(count == 0)
            let end = WireFile.now()
            let heard = call.a.device.ear.heard(end - 200 * 48..<end)
            #expect(ToneDetector.level(of: 500, in: heard.span) > -25, "it was the ring that asked nothing")
        }

        /// Both threads, and no lock either: for longer than several reports take, and for a minute in the whole
        /// matrix.
        @Test
        func callAllocatesAndLocksNothing() throws {
            #expect(watchSeesThisThread())
            let call = try TestCall()
            #expect(call.isUp())
            listen(milliseconds: 300)
            unsafe allocation_watch_begin("media-audio|media-network")
            let before = packets(call)
            let pieces = Matrix.isWhole ? 8 : 3
            for _ in 0..<pieces {
                for phone in [call.a, call.b] {
                    phone.device.mouth.say(TestSignal.speech(seconds: 7), at: WireFile.now())
                }
                listen(milliseconds: 7_500)
            }
            let (asked, locked) = (allocation_watch_count(), allocation_watch_locks())
            allocation_watch_begin(nil)
            #expect((asked, locked) == (0, 0))
            #expect(packets(call) - before > pieces * 750, "of twice as many: four counts of fifty a second")
        }

        /// A page is watched from the first packet to the silence after the last, and while a call is there.
        @Test
        func pageAllocatesNothing() throws {
            #expect(watchSeesThisThread())
            let group = PageSender.anyGroup()
            let call = try TestCall { ($0.pages, $0.pageRoute) = ([group], .handset) }
            let sender = try PageSender(group)
            defer { sender.close() }
            #expect(call.isUp())
            listen(milliseconds: 300)
            unsafe allocation_watch_begin("media-audio|media-network")
            sender.page(milliseconds: 100)
            call.a.perform(.pause(true), .page(1))
            sender.page(milliseconds: 500)
            let end = WireFile.now()
            let heard = call.a.device.ear.heard(end - 200 * 48..<end)
            call.a.perform(.page(nil), .page(1))
            let isOver = call.a.log.wait(for: .pageEnded(1))
            let (asked, locked) = (allocation_watch_count(), allocation_watch_locks())
            allocation_watch_begin(nil)
            #expect((asked, locked) == (0, 0))
            #expect(isOver && heard.contains { $0 > 1_000 }, "it was a page that asked nothing")
        }

        /// A sent page is watched from the first packet to the last, and a test of the devices.
        @Test
        func sentPageAllocatesNothing() throws {
            #expect(watchSeesThisThread())
            let phone = try TestPhone { ($0.pages, $0.pageRoute) = ([SentPageTests.group(.opus)], .handset) }
            phone.perform(.testSound(SoundTest(number: 1, route: .handset)))
            listen(milliseconds: 300)
            unsafe allocation_watch_begin("media-audio|media-network")
            listen(milliseconds: 700)
            phone.perform(.testSound(nil), .sendPage(PageSending(group: 1, isOpen: true)))
            listen(milliseconds: 500)
            phone.perform(.sendPage(nil))
            listen(milliseconds: 100)
            let (asked, locked) = (allocation_watch_count(), allocation_watch_locks())
            allocation_watch_begin(nil)
            #expect((asked, locked) == (0, 0))
            #expect(phone.media.statistics.packetsSent > 15)
        }

        private func packets(_ call: TestCall) -> Int {
            [call.a, call.b].reduce(0) { $0 + $1.media.statistics.packetsSent + $1.media.statistics.packetsReceived }
        }

        @Test(arguments: CryptoSuite.allCases)
        func networkThreadAllocatesNothing(suite: CryptoSuite) throws {
            let call = try TestCall(milliseconds: 10, suite: suite)
            let count = try requests(of: "media-network", in: call)
            #expect(count == 0)
        }

        @Test
        func networkThreadAllocatesNothingWithDTLS() throws {
            let call = try TestCall(handshakeBegunByA: true, milliseconds: 10)
            #expect(call.connect())
            let count = try requests(of: "media-network", in: call)
            #expect(count == 0)
        }

        @Test
        func networkThreadAllocatesNothingInClear() throws {
            let call = try TestCall(milliseconds: 10, isProtected: false)
            let count = try requests(of: "media-network", in: call)
            #expect(count == 0)
        }

        private func requests(of thread: String, in call: TestCall) throws -> Int {
            #expect(watchSeesThisThread())
            #expect(call.isUp())
            listen(milliseconds: 300)
            unsafe allocation_watch_begin(thread)
            call.a.perform(.dtmf(TestPhone.call, [.symbol(.one)], inBand: false), .keyClick(.one), .tone(.callWaiting))
            call.b.perform(.volume(.call, 9), .pause(true), .volume(.call, 8), .pause(false))
            let carried = call.carry(seconds: 1)
            let count = allocation_watch_count()
            allocation_watch_begin(nil)
            let match = try #require(carried)
            #expect(match.correlation > 0.5)
            #expect(call.b.received(.one) == 1)
            return count
        }
    }
}
