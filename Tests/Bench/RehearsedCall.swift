import Base
import Control
import JSON
import Trace

/// One call between two phones, from hook to hook, with everything about it checked and timed.
///
/// Alice lifts, hears dial tone, presses Bob's digits; Bob's bell rings, he lifts; both speak at once; a digit, a hold
/// and a resume; Alice hangs up. Real programs, real sockets, real devices; only contacts and cones are simulated.
public final class RehearsedCall {
    public struct Speech: Sendable {
        public let alice: WaveFile
        public let bob: WaveFile

        public init(alice: WaveFile, bob: WaveFile) {
            self.alice = alice
            self.bob = bob
        }
    }

    /// How the two phones reach each other.
    public enum Way: Sendable {
        /// A call by SIP, from one to the other.
        case directly
        /// Through a Verto server, with media bypassing it. Such a server holds on its own, and keeps digits.
        case verto
    }

    public internal(set) var timeline = Timeline()
    public internal(set) var checks = CheckList()

    let alice: RigPhone
    let bob: RigPhone
    private let number: String
    private let speech: Speech
    private let way: Way
    private let isShort: Bool

    /// - Parameters:
    ///   - number: The digits that Alice presses for Bob.
    ///   - isShort: Leaves out hold and resume.
    public init(
        alice: RigPhone, bob: RigPhone, number: String, speech: Speech, way: Way = .directly, isShort: Bool = false
    ) {
        (self.way, self.isShort) = (way, isShort)
        self.alice = alice
        self.bob = bob
        self.number = number
        self.speech = speech
    }

    /// Runs the whole call. Throws if it cannot continue; a wrong result is only a failed check.
    public func run(recordings folder: String) throws {
        try alice.waitUntilReady()
        try bob.waitUntilReady()
        try dial()
        try ringAndAnswer()
        if way == .verto { try compareWords() }
        try talk(recordings: folder)
        if way == .directly { try sendDigit() }
        if !isShort { try holdAndResume() }
        try hangUp()
        try alice.collect()
        try bob.collect()
        for phone in [alice, bob] {
            for event in phone.events {
                guard let text = EventStory.text(of: event) else { continue }
                timeline.note(text, who: phone.name, at: event.at)
            }
            for signal in try phone.signals() {
                let arrow = signal.direction == .sent ? "→ " : "← "
                timeline.note(arrow + SignalReading(signal.message).summary, who: phone.name, at: signal.at)
            }
        }
    }

    private func dial() throws {
        let lifted = MonotonicTime.now
        timeline.note("handset lifted, contact bounces", who: "alice", at: lifted)
        try alice.ask("liftHook")
        try alice.wait(for: "panelChanged") { $0.fields["hook"] == "offHook" }
        try alice.wait(for: "toneChanged") { $0.fields["tone"] == "dial" }
        let heard = try hearing(alice, atLeast: .milliseconds(600), upTo: .seconds(3)) { sound in
            Tones.hold([350, 440], in: sound)
        }
        checks.expect(
            "dial tone", heard != nil, "350 + 440 Hz " + (heard.map { Self.after($0 - lifted) } ?? "not heard"))
        for digit in number + "#" {
            try alice.ask("pressKey", ["key": .string(String(digit)), "holdMs": 60])
            try alice.wait(for: "panelChanged") { $0.fields["key"] == .string(String(digit)) }
            MonotonicTime.sleep(.milliseconds(120))
        }
    }

    private func ringAndAnswer() throws {
        let rings = try bob.wait(for: "ringerChanged") { $0.fields["on"] == true }
        try alice.wait(for: "toneChanged") { $0.fields["tone"] == "ringback" }
        let bell = try bellChanges(of: bob, count: 4)
        let intervals = zip(bell, bell.dropFirst()).map { ($1.at - $0.at).milliseconds }
        // Bob's phone has the British cadence: 400 ms of bell, 200 ms of pause, 400 ms of bell.
        let isRight = zip(intervals, [400.0, 200, 400]).allSatisfy { abs($0 - $1) < 40 }
        checks.expect("bell cadence", isRight, intervals.map { "\(Int($0.rounded()))" }.joined(separator: "/") + " ms")
        timeline.note("bell line rises", who: "bob", at: bell[0].at)
        checks.expect(
            "ring at once", bell[0].at - rings.at < .milliseconds(20), Self.after(bell[0].at - rings.at) + " decision")
        timeline.note("handset lifted, contact bounces", who: "bob", at: MonotonicTime.now)
        try bob.ask("liftHook")
        try bob.wait(for: "callAnswered")
        try alice.wait(for: "callAnswered")
        try alice.wait(for: "firstVoice")
        try bob.wait(for: "firstVoice")
        try expectBellQuiet()
    }

    private func expectBellQuiet() throws {
        try bob.collect()
        let last = bob.all("line").last { $0.fields["line"] == "ringer" }
        checks.expect("bell silent after answer", last?.fields["level"] == false, "ringer line low")
    }

    /// Both speak at the same time.
    private func talk(recordings folder: String) throws {
        let conversation = Conversation([
            Conversation.Voice("alice to bob", words: speech.alice, mouth: alice.mouth, ear: bob.ear),
            Conversation.Voice("bob to alice", words: speech.bob, mouth: bob.mouth, ear: alice.ear),
        ])
        try speech.alice.write(to: folder + "/said-by-alice.wav")
        try speech.bob.write(to: folder + "/said-by-bob.wav")
        let hearings = conversation.hold()
        for (listener, hearing) in zip([bob, alice], hearings) {
            try hearing.heard.write(to: "\(folder)/heard-by-\(listener.name).wav")
            judge(hearing)
        }
    }

    private func judge(_ hearing: Conversation.Hearing) {
        let direction = hearing.voice.name
        guard let similarity = hearing.similarity else {
            checks.expect("voice \(direction)", false, "nothing was heard")
            return
        }
        let delay = Self.tenths(similarity.delayMilliseconds)
        let moved = Self.tenths(similarity.delaySpreadMilliseconds)
        checks.expect(
            "mouth to ear \(direction)", similarity.delayMilliseconds < 400, "\(delay) ms, moved by \(moved) ms")
        checks.expect(
            "similarity \(direction)", hearing.isUnderstood,
            "\(Self.tenths(hearing.ratio)) dB segmental SNR over \(similarity.segments) segments, "
                + "correlation \(Self.tenths(similarity.correlation * 100)) %")
    }

    private func sendDigit() throws {
        try alice.ask("pressKey", ["key": "5", "holdMs": 120])
        let received = try bob.wait(for: "dtmfReceived")
        try alice.wait(for: "dtmfSent")
        checks.expect(
            "DTMF", received.fields["digit"] == "5", "digit \(received.fields["digit"]?.string ?? "?") received")
    }

    private func holdAndResume() throws {
        try alice.ask("pressKey", ["key": "hold"])
        try alice.wait(for: "callHeld")
        if way == .directly { try bob.wait(for: "callHeld") }
        // Alice's next words must not reach Bob. Words already on their way may still arrive.
        MonotonicTime.sleep(.milliseconds(400))
        let start = Wire.now
        alice.mouth.say(Array(speech.alice.samples.prefix(Wire.rate)), at: start + 2_400)
        Wire.sleep(untilFrame: start + 3 * Wire.rate / 2)
        let leaked = bob.ear.heard(start..<start + 5 * Wire.rate / 4).map { Int($0.magnitude) }.max() ?? 0
        checks.expect("nothing leaks on hold", leaked < 100, "peak \(leaked) of 32767 at bob's earpiece")
        try alice.ask("pressKey", ["key": "hold"])
        try alice.wait(for: "callResumed")
        if way == .directly { try bob.wait(for: "callResumed") }
        let words = WaveFile(samples: Array(speech.alice.samples.prefix(2 * Wire.rate)))
        let voice = Conversation.Voice("alice to bob", words: words, mouth: alice.mouth, ear: bob.ear)
        for hearing in Conversation([voice]).hold() {
            checks.expect(
                "voice after resume", hearing.isUnderstood, "\(Self.tenths(hearing.ratio)) dB segmental SNR")
        }
    }

    private func hangUp() throws {
        timeline.note("handset replaced", who: "alice", at: MonotonicTime.now)
        try alice.ask("replaceHook")
        let here = try alice.wait(for: "callEnded")
        let there = try bob.wait(for: "callEnded")
        checks.expect(
            "one end, both know why",
            here.fields["reason"] == "hungUpHere" && there.fields["reason"] == "hungUpThere",
            "\(here.fields["reason"]?.string ?? "?"), \(there.fields["reason"]?.string ?? "?")")
        try bob.ask("replaceHook")
        try bob.wait(for: "panelChanged") { $0.fields["hook"] == "onHook" }
    }
}
