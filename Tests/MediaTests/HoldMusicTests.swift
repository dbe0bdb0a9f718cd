import Media
import PhoneCore
import SoundCore
import Synchronization
import Testing

extension RealTime {
    /// Music for held far ends, with real engines: its listeners, and the other sound for them.
    @Suite
    struct HoldMusicTests {
        private typealias Note = TestConference.Note
        /// The content of the music: a note that no person uses.
        private static let note = 2_000
        private static let threshold = -45.0

        private let folder = TestFolder()

        /// Half a second, so that it is played over and over.
        private func music(seconds: Double = 0.5) -> String {
            let samples = WaveBytes.sine(Double(Self.note), rate: 48_000, seconds: seconds).map { $0 / 4 }
            return TestFolder.write(WaveBytes(rate: 48_000, samples: samples).file, to: folder.path + "/music.wav")
        }

        private func hearsMusic(_ phone: TestPhone) -> Bool {
            let end = WireFile.now() - 30 * 48
            return Double(ToneDetector.level(of: Self.note, in: phone.device.ear.heard(end - 80 * 48..<end).span))
                > Self.threshold
        }

        /// A stalling machine breaks a note, and then the test listens again.
        private func eventually(_ condition: () -> Bool) -> Bool {
            for _ in 0..<36 where !condition() { listen(milliseconds: 100) }
            return condition()
        }

        private func oneWay(_ plan: NegotiatedMedia, sends: Bool) -> NegotiatedMedia {
            var plan = plan
            (plan.sends, plan.receives) = (sends, !sends)
            return plan
        }

        private func hold(_ phone: TestPhone, _ call: CallID, _ plan: NegotiatedMedia) {
            phone.perform(
                .microphone(call, open: false), .update(call, oneWay(plan, sends: true)), .holdMusic(call, on: true))
        }

        private func resume(_ phone: TestPhone, _ call: CallID, _ plan: NegotiatedMedia) {
            phone.perform(.update(call, plan), .holdMusic(call, on: false), .microphone(call, open: true))
        }

        @Test(arguments: AudioCodec.allCases)
        func heldFarEndHearsLoopedMusicAlone(codec: AudioCodec) throws {
            let file = music()
            let call = try TestCall(codec) { $0.holdMusic = file }
            #expect(call.isUp())
            let start = WireFile.now()
            let voice = TestSignal.sine(Double(Note.here.rawValue), amplitude: 4_000, seconds: 10)
            call.a.device.mouth.say(voice, at: start)
            #expect(eventually { TestConference.heard(at: call.b) == [.here] && !hearsMusic(call.b) })
            hold(call.a, TestPhone.call, call.planA)
            call.b.perform(.update(TestPhone.call, oneWay(call.planB, sends: false)))
            #expect(eventually { hearsMusic(call.b) && TestConference.heard(at: call.b).isEmpty })
            listen(milliseconds: 1_200)
            #expect(eventually { hearsMusic(call.b) && TestConference.heard(at: call.b).isEmpty }, "it is repeated")
            #expect(!hearsMusic(call.a), "the holding end does not hear it")
            call.b.perform(.update(TestPhone.call, call.planB))
            resume(call.a, TestPhone.call, call.planA)
            #expect(eventually { !hearsMusic(call.b) && TestConference.heard(at: call.b) == [.here] })
        }

        @Test
        func heldFarEndsHearMusicAndActiveOneDoesNot() throws {
            let file = music()
            let conference = try TestConference { $0.holdMusic = file }
            conference.sing(seconds: 10)
            #expect(conference.right.log.wait(for: .firstVoice(TestPhone.call)))
            hold(conference.here, TestConference.first, conference.plan)
            #expect(eventually { hearsMusic(conference.left) && TestConference.heard(at: conference.left).isEmpty })
            let isTalkedTo = { !hearsMusic(conference.right) && TestConference.heard(at: conference.right) == [.here] }
            #expect(eventually(isTalkedTo))
            hold(conference.here, TestConference.second, conference.other)
            #expect(eventually { hearsMusic(conference.left) && hearsMusic(conference.right) })
            #expect(eventually { TestConference.heard(at: conference.right).isEmpty })
        }

        /// Another program has the sound device: a far end that is already held keeps hearing music.
        @Test
        func pauseKeepsMusic() throws {
            let file = music()
            let call = try TestCall { $0.holdMusic = file }
            #expect(call.isUp())
            hold(call.a, TestPhone.call, call.planA)
            call.a.perform(.pause(true))
            #expect(eventually { hearsMusic(call.b) })
        }

        @Test
        func musicNeedsFarEndAgreement() throws {
            let file = music()
            let call = try TestCall { $0.holdMusic = file }
            #expect(call.isUp())
            var inactive = call.planA
            (inactive.sends, inactive.receives) = (false, false)
            call.a.perform(
                .microphone(TestPhone.call, open: false), .update(TestPhone.call, inactive),
                .holdMusic(TestPhone.call, on: true))
            listen(milliseconds: 200)
            let sent = call.a.media.statistics.packetsSent
            listen(milliseconds: 500)
            #expect(call.a.media.statistics.packetsSent == sent)
        }

        @Test(arguments: [("nowhere.wav", "No such file"), ("music.wav", "longer than 180 s")])
        func unplayableMusicIsReportedAndSilent(name: String, reason: String) throws {
            let samples = [Double](repeating: 0, count: 181 * 8_000)
            _ = TestFolder.write(WaveBytes(rate: 8_000, samples: samples).file, to: folder.path + "/music.wav")
            let told = Told()
            let path = folder.path + "/" + name
            let phone = try TestPhone({ $0.holdMusic = path }, notice: { told.add($0) })
            for _ in 0..<100 where told.texts.isEmpty { listen(milliseconds: 50) }
            #expect(told.texts.contains { $0.contains(path) && $0.contains(reason) })
            withExtendedLifetime(phone) {}
        }
    }
}

private final class Told: Sendable {
    private let notices = Mutex<[String]>([])

    func add(_ notice: MediaNotice) { notices.withLock { $0.append(notice.description) } }
    var texts: [String] { notices.withLock { $0 } }
}
