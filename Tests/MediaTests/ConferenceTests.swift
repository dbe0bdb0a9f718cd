import Media
import PhoneCore
import Testing

extension RealTime {
    /// Two far ends and a person here, at one device: each hears the right others.
    @Suite
    struct ConferenceTests {
        private typealias Ears = TestConference.Ears

        /// Everyone hears the two others, and not themselves.
        private static let all = Ears([.left, .right], [.here, .right], [.here, .left])

        private func conference(_ codec: AudioCodec = .pcmu) throws -> TestConference {
            let conference = try TestConference(codec)
            #expect(conference.join())
            conference.sing(seconds: 10)
            #expect(conference.heard(expecting: Self.all) == Self.all)
            return conference
        }

        /// The left far end uses Opus.
        @Test(arguments: AudioCodec.allCases)
        func everyoneHearsOthersButNotThemselves(codec: AudioCodec) throws {
            _ = try conference(codec)
        }

        @Test
        func withoutConferenceOneCallHasAudio() throws {
            let conference = try TestConference()
            #expect(conference.right.log.wait(for: .firstVoice(TestConference.first)))
            conference.sing(seconds: 6)
            let one = Ears([.right], [], [.here])
            #expect(conference.heard(expecting: one) == one)
            conference.share(true)
            #expect(conference.heard(expecting: Self.all) == Self.all)
            conference.share(false)
            #expect(conference.heard(expecting: one) == one)
        }

        @Test
        func muteAffectsMicrophoneOnly() throws {
            let conference = try conference()
            for call in [TestConference.first, TestConference.second] {
                conference.here.perform(.microphone(call, open: false))
            }
            let muted = Ears([.left, .right], [.right], [.left])
            #expect(conference.heard(expecting: muted) == muted)
            for call in [TestConference.first, TestConference.second] {
                conference.here.perform(.microphone(call, open: true))
            }
            #expect(conference.heard(expecting: Self.all) == Self.all)
        }

        @Test
        func volumeAffectsLocalEarAndPauseAffectsAll() throws {
            let conference = try conference()
            conference.here.perform(.volume(.call, 0))
            let deaf = Ears([], [.here, .right], [.here, .left])
            #expect(conference.heard(expecting: deaf) == deaf)
            conference.here.perform(.volume(.call, 7), .pause(true))
            #expect(conference.heard(expecting: Ears()) == Ears())
            conference.here.perform(.pause(false))
            #expect(conference.heard(expecting: Self.all) == Self.all)
        }

        @Test
        func digitsGoToOneFarEnd() throws {
            let conference = try conference()
            conference.here.perform(.dtmf(TestConference.second, [.symbol(.five)], inBand: false))
            #expect(conference.here.log.wait(for: .dtmfSent(TestConference.second)))
            #expect(conference.right.log.wait(for: .dtmfReceived(TestConference.first, .five)))
            #expect(conference.left.received(.five) == 0)
        }

        /// Its far end has not agreed yet, and might refuse.
        @Test
        func callBeingHeldIsCutFromConference() throws {
            let conference = try conference()
            conference.here.perform(
                .conference(TestConference.first, joined: false), .microphone(TestConference.first, open: false))
            let apart = Ears([.left, .right], [], [.here])
            #expect(conference.heard(expecting: apart) == apart)
            conference.here.perform(
                .conference(TestConference.first, joined: true), .microphone(TestConference.first, open: true))
            #expect(conference.heard(expecting: Self.all) == Self.all)
        }

        /// The phone first sends the new terms or the release, then ends the conference.
        @Test(arguments: [true, false])
        func heldOrEndedCallLeavesConferenceAndOtherContinues(isHeld: Bool) throws {
            // A device that is served late once leaves a gap; a gap of the conference is there each time.
            var gaps = Int.max
            for _ in 0..<4 where gaps > 0 { gaps = try self.gaps(isHeld: isHeld) }
            #expect(gaps == 0, "the call that stays is heard all the time")
        }

        /// One of the two leaves: pieces of 10 ms without the other one, around that moment.
        private func gaps(isHeld: Bool) throws -> Int {
            let conference = try conference()
            let end: MediaEffect =
                isHeld ? .update(TestConference.first, conference.held) : .release(TestConference.first)
            let start = WireFile.now()
            conference.here.perform(end)
            conference.share(false)
            let two = Ears([.right], [], [.here])
            #expect(conference.heard(expecting: two) == two)
            let sound = conference.here.device.ear.heard(start - 4_800..<start + 14_400)
            return stride(from: 0, to: sound.count, by: 480).count { begin in
                sound[begin..<begin + 480].allSatisfy { abs(Int($0)) < 500 }
            }
        }
    }
}
