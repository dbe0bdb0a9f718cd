import Base
import PhoneCore
import Testing

/// §14: a call recorded to a file. Media writes it; the phone decides about permission, call and duration.
@Suite("Recording")
struct RecordingTests {
    private static let file = "20261122-010203-in-0.1.opus"

    private static let policy = {
        var policy = Sample.policy
        policy.recordsCalls = true
        return policy
    }()

    private static func talking() -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        return bench
    }

    private static func recording() -> Bench {
        var bench = talking()
        bench.ask(.startRecording(nil))
        bench.media(.recordingStarted(Sample.first, file: file))
        return bench
    }

    @Test func startCompletesWhenFileIsOpen() {
        var bench = Self.talking()
        #expect(bench.ask(.startRecording(nil)) == nil)
        #expect(bench.did(.record(Sample.first)))
        #expect(bench.machine.snapshot.recording == Sample.first)
        #expect(!bench.noticed(.recordingStarted(Sample.first, file: Self.file)))
        bench.media(.recordingStarted(Sample.first, file: Self.file))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.noticed(.recordingStarted(Sample.first, file: Self.file)))
    }

    @Test func stopCompletesWhenFileIsComplete() {
        var bench = Self.recording()
        #expect(bench.ask(.stopRecording) == nil)
        #expect(bench.did(.record(nil)))
        #expect(bench.machine.snapshot.recording == nil)
        bench.media(.recordingEnded(Sample.first, .stopped))
        #expect(bench.outcome(of: 2) == .fulfilled)
        #expect(bench.noticed(.recordingEnded(Sample.first, .stopped)))
        #expect(bench.times(.record(nil)) == 1)
    }

    @Test func recordingNeedsPermission() {
        var bench = Bench()
        bench.talk()
        #expect(bench.ask(.startRecording(nil)) == .failed(.notSupported))
        #expect(!bench.did(.record(Sample.first)))
    }

    @Test func recordingNeedsActiveCall() {
        var bench = Bench(policy: Self.policy)
        #expect(bench.ask(.startRecording(nil)) == .failed(.noSuchCall))
        #expect(bench.ask(.startRecording(Sample.third)) == .failed(.noSuchCall))
        bench.dial()
        #expect(bench.ask(.startRecording(nil)) == .failed(.wrongState))
        #expect(bench.ask(.stopRecording) == .failed(.wrongState))
    }

    @Test func onlyOneRecordingAtATime() {
        var bench = Self.recording()
        #expect(bench.ask(.startRecording(nil)) == .failed(.alreadyUnderWay))
        bench.ask(.stopRecording)
        #expect(bench.ask(.startRecording(nil)) == .failed(.alreadyUnderWay), "the file is not complete yet")
        #expect(bench.ask(.stopRecording) == .failed(.wrongState), "it is being stopped")
        bench.media(.recordingEnded(Sample.first, .stopped))
        #expect(bench.ask(.startRecording(nil)) == nil)
        #expect(bench.times(.record(Sample.first)) == 2)
    }

    @Test func endOfCallEndsRecording() {
        var bench = Self.recording()
        bench.replace()
        #expect(bench.did(.record(nil)))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.machine.snapshot.calls.isEmpty)
        bench.media(.recordingEnded(Sample.first, .stopped))
        #expect(bench.noticed(.recordingEnded(Sample.first, .stopped)), "though the call is over")
    }

    @Test func recordingSurvivesHoldOfNamedCall() {
        var bench = Bench(policy: Self.policy)
        bench.talkToTwo()
        #expect(bench.ask(.startRecording(Sample.first)) == nil)
        #expect(bench.did(.record(Sample.first)), "the held one, because it was named")
        bench.line(.ended(Sample.second, .hungUpThere))
        #expect(bench.machine.snapshot.recording == Sample.first)
    }

    @Test func diskErrorFailsStart() {
        var bench = Self.talking()
        bench.ask(.startRecording(nil))
        bench.media(.recordingEnded(Sample.first, .failed("no room")))
        #expect(bench.outcome(of: 1) == .failed(.file("no room")))
        #expect(bench.noticed(.trouble("no room", .recording)))
        #expect(bench.noticed(.recordingEnded(Sample.first, .failed("no room"))))
        #expect(bench.machine.snapshot.recording == nil)
        #expect(bench.phase() == .active, "the call goes on")
        #expect(bench.ask(.startRecording(nil)) == nil, "another attempt may be made")
    }

    @Test(arguments: [RecordingEnd.stopped, .tooLong])
    func endBeforeReportedStartCompletesStart(end: RecordingEnd) {
        var bench = Self.talking()
        bench.ask(.startRecording(nil))
        bench.media(.recordingEnded(Sample.first, end))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.machine.snapshot.recording == nil)
    }

    @Test func slowDiskHasTwoSeconds() {
        var bench = Self.talking()
        bench.ask(.startRecording(nil))
        bench.run(.milliseconds(1_999))
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.did(.record(nil)), "an abandoned recording is not made")
        bench.media(.recordingEnded(Sample.first, .stopped))
        #expect(bench.noticed(.recordingEnded(Sample.first, .stopped)))
    }

    @Test func slowStopHasTwoSeconds() {
        var bench = Self.recording()
        bench.ask(.stopRecording)
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 2) == .failed(.timedOut))
        #expect(bench.machine.snapshot.recording == nil)
        #expect(bench.ask(.startRecording(nil)) == .failed(.alreadyUnderWay))
    }

    @Test func unexpectedRecordingReportIsIgnored() {
        var bench = Self.talking()
        #expect(bench.post(.media(.recordingStarted(Sample.first, file: Self.file))).isEmpty)
        #expect(bench.post(.media(.recordingEnded(Sample.first, .failed("no room")))).isEmpty)
        bench.ask(.startRecording(nil))
        #expect(bench.post(.media(.recordingEnded(Sample.second, .stopped))).isEmpty)
        #expect(bench.post(.media(.recordingStarted(Sample.second, file: Self.file))).isEmpty)
        #expect(bench.machine.snapshot.recording == Sample.first)
    }
}
