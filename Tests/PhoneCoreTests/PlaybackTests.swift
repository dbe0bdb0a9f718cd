import Base
import PhoneCore
import Testing

/// A file played into a call. Media reads it; the phone decides about permission, call and duration.
@Suite("Playback")
struct PlaybackTests {
    private static let policy = {
        var policy = Sample.policy
        policy.playsFiles = true
        return policy
    }()

    private static func file(_ number: UInt32, _ name: String = "a.wav", of call: CallID = Sample.first) -> Playback {
        Playback(number: number, call: call, file: name)
    }

    private static func talking() -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        return bench
    }

    private static func playing() -> Bench {
        var bench = talking()
        bench.ask(.startPlayback(file: "a.wav", nil))
        bench.media(.playbackStarted(1))
        return bench
    }

    @Test func startCompletesWhenSoundBegins() {
        var bench = Self.talking()
        #expect(bench.ask(.startPlayback(file: "a.wav", nil)) == nil)
        #expect(bench.did(.play(Self.file(1))))
        #expect(bench.machine.snapshot.playback == Self.file(1))
        #expect(!bench.noticed(.playbackStarted(Self.file(1))))
        bench.media(.playbackStarted(1))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.noticed(.playbackStarted(Self.file(1))))
    }

    @Test func playbackEndsAtEndOfFile() {
        var bench = Self.playing()
        bench.media(.playbackEnded(1, .finished))
        #expect(bench.noticed(.playbackEnded(Self.file(1), .finished)))
        #expect(bench.machine.snapshot.playback == nil)
    }

    @Test func stopEndsPlaybackAtOnce() {
        var bench = Self.playing()
        #expect(bench.ask(.stopPlayback) == .fulfilled)
        #expect(bench.did(.play(nil)))
        #expect(bench.noticed(.playbackEnded(Self.file(1), .stopped)))
        #expect(bench.ask(.stopPlayback) == .failed(.wrongState))
        #expect(bench.post(.media(.playbackEnded(1, .stopped))).isEmpty, "it was reported already")
    }

    @Test func playbackNeedsPermission() {
        var bench = Bench()
        bench.talk()
        #expect(bench.ask(.startPlayback(file: "a.wav", nil)) == .failed(.notSupported))
        #expect(!bench.did(.play(Self.file(1))))
    }

    @Test func playbackNeedsActiveCall() {
        var bench = Bench(policy: Self.policy)
        #expect(bench.ask(.startPlayback(file: "a.wav", nil)) == .failed(.noSuchCall))
        #expect(bench.ask(.startPlayback(file: "a.wav", Sample.third)) == .failed(.noSuchCall))
        bench.dial()
        #expect(bench.ask(.startPlayback(file: "a.wav", nil)) == .failed(.wrongState))
        #expect(bench.ask(.stopPlayback) == .failed(.wrongState))
        var two = Bench(policy: Self.policy)
        two.talkToTwo()
        #expect(two.ask(.startPlayback(file: "a.wav", Sample.first)) == .failed(.wrongState), "it is held")
        #expect(two.ask(.startPlayback(file: "a.wav", nil)) == nil)
        #expect(two.did(.play(Self.file(1, of: Sample.second))))
    }

    @Test func newPlaybackReplacesOldOne() {
        var bench = Self.playing()
        #expect(bench.ask(.startPlayback(file: "b.wav", nil)) == nil)
        #expect(bench.noticed(.playbackEnded(Self.file(1), .stopped)))
        #expect(bench.did(.play(Self.file(2, "b.wav"))) && !bench.did(.play(nil)))
        #expect(
            bench.post(.media(.playbackEnded(1, .stopped))).isEmpty, "the end of the first is not that of the second")
        #expect(bench.ask(.startPlayback(file: "c.wav", nil)) == .failed(.alreadyUnderWay), "one is being opened")
        bench.media(.playbackStarted(2))
        #expect(bench.outcome(of: 2) == .fulfilled)
    }

    /// The playback ends when the hold is requested, whatever becomes of the hold.
    @Test func holdEndsPlayback() {
        var bench = Self.playing()
        bench.ask(.hold(nil))
        #expect(bench.did(.play(nil)))
        #expect(bench.noticed(.playbackEnded(Self.file(1), .stopped)))
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.times(.play(nil)) == 1 && bench.machine.snapshot.playback == nil)
    }

    @Test func endOfCallEndsPlayback() {
        var bench = Self.playing()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.did(.play(nil)))
        #expect(bench.noticed(.playbackEnded(Self.file(1), .stopped)))
    }

    @Test func endOfCallBeforeOpeningFailsPlayback() {
        var bench = Self.talking()
        bench.ask(.startPlayback(file: "a.wav", nil))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.hungUpThere)))
        #expect(!bench.noticed(.playbackEnded(Self.file(1), .stopped)), "nothing was heard of it")
    }

    @Test func holdOrStopBeforeOpeningFailsPlayback() {
        for request in [Request.hold(nil), .stopPlayback] {
            var bench = Self.talking()
            bench.ask(.startPlayback(file: "a.wav", nil))
            bench.ask(request)
            #expect(bench.outcome(of: 1) == .failed(.wrongState))
            #expect(bench.did(.play(nil)))
        }
    }

    @Test func unplayableFileFailsStart() {
        var bench = Self.talking()
        bench.ask(.startPlayback(file: "a.wav", nil))
        bench.media(.playbackEnded(1, .failed("a.wav: not a WAVE file")))
        #expect(bench.outcome(of: 1) == .failed(.file("a.wav: not a WAVE file")))
        #expect(bench.machine.snapshot.playback == nil)
        #expect(bench.ask(.startPlayback(file: "b.wav", nil)) == nil, "another attempt may be made")
    }

    @Test func laterDiskFailureIsReported() {
        var bench = Self.playing()
        bench.media(.playbackEnded(1, .failed("Input/output error")))
        #expect(bench.noticed(.playbackEnded(Self.file(1), .failed("Input/output error"))))
        #expect(bench.phase() == .active, "the call goes on")
    }

    @Test func slowDiskHasTwoSeconds() {
        var bench = Self.talking()
        bench.ask(.startPlayback(file: "a.wav", nil))
        bench.run(.milliseconds(1_999))
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.did(.play(nil)), "an abandoned file is not played")
        #expect(bench.post(.media(.playbackStarted(1))).isEmpty)
    }

    @Test func unexpectedPlaybackReportIsIgnored() {
        var bench = Self.playing()
        #expect(bench.post(.media(.playbackStarted(1))).isEmpty)
        #expect(bench.post(.media(.playbackStarted(2))).isEmpty)
        #expect(bench.post(.media(.playbackEnded(2, .finished))).isEmpty)
        #expect(bench.machine.snapshot.playback == Self.file(1))
    }
}
