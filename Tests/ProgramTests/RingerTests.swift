import Bench
import Rig
import SoundCore
import HostStalls
import Testing

/// A phone with a loudspeaker that rings.
@Suite(.serialized, .stallsForgiven) struct RingerTests {
    private static func rings(_ sound: [Int16]) -> Bool {
        [1_000, 1_250].allSatisfy { ToneDetector.level(of: $0, in: sound.span) > -25 }
            && ToneDetector.level(of: 440, in: sound.span) < -50
    }

    @Test(.limit(minutesEachTime: 2)) func callRingsUntilAnswered() throws {
        let pair = try PhonePair { $0.more = "  ringer: \(SoundCard.ringerName(of: "alice"))" }
        let (ringer, ear) = (try Wire(path: pair.alice.folder.card.ringer), try Wire(path: pair.alice.folder.card.ear))
        let start = Wire.now
        try pair.bob.ask("dial", ["target": "101"])
        try pair.alice.wait(for: "incomingCall")
        Wire.sleep(untilFrame: Wire.now + Wire.rate)
        let heard = ringer.heard(start..<Wire.now)
        let first = try #require(heard.firstIndex { $0 != 0 })
        print("rings \(first * 1_000 / Wire.rate) ms after somebody dialled")
        #expect(Self.rings(Array(heard[(first + 4_800)..<(first + 28_800)])))
        #expect(ear.heard(start..<Wire.now).allSatisfy { $0 == 0 }, "the ringer is not the handset")
        try pair.alice.ask("answer")
        try pair.alice.wait(for: "callAnswered")
        let answered = Wire.now
        Wire.sleep(untilFrame: answered + Wire.rate / 2)
        // Its thread has no real-time priority, so it may still ring when the answer is reported.
        #expect(ringer.heard(answered + Wire.rate / 10..<answered + Wire.rate / 2).allSatisfy { $0 == 0 })
    }

    @Test(.limit(minutesEachTime: 2)) func handsetDeviceMayRing() throws {
        let pair = try PhonePair { $0.more = "  ringer: alice" }
        let ear = try Wire(path: pair.alice.folder.card.ear)
        try pair.bob.ask("dial", ["target": "101"])
        try pair.alice.wait(for: "incomingCall")
        Wire.sleep(untilFrame: Wire.now + Wire.rate)
        #expect(Self.rings(ear.heard(Wire.now - Wire.rate / 2..<Wire.now - Wire.rate / 10)))
        try pair.bob.ask("hangup")
        try pair.alice.wait(for: "callEnded")
        let ended = Wire.now
        Wire.sleep(untilFrame: ended + Wire.rate / 2)
        #expect(ear.heard(ended + Wire.rate / 10..<ended + Wire.rate / 2).allSatisfy { $0 == 0 })
    }
}
