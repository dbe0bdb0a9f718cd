import Base

/// Tests whether the microphone hears the loudspeaker: as often as the policy wants, and on request. Tests run only
/// while the phone is at rest, and any activity ends them at once.
extension Transition {
    /// The action is done when the result is there.
    mutating func testSound(_ wanted: Route?, as action: ActionID) throws(ActionFailure) {
        let route = wanted ?? policy.soundTest?.route ?? SoundTestPolicy.usualRoute
        // A handset in its cradle does not hear itself.
        guard route != .handset else { throw .notSupported }
        guard phone.soundTest.run == nil else { throw .alreadyUnderWay }
        guard phone.isAtRest else { throw .soundInUse }
        beginSoundTest(route, action)
    }

    private mutating func beginSoundTest(_ route: Route, _ action: ActionID?) {
        phone.soundTest.count &+= 1
        let test = SoundTest(number: phone.soundTest.count, route: route)
        phone.soundTest.run = .init(test: test, until: now + SoundTestPolicy.longest, action: action)
        phone.soundTest.due = policy.soundTest?.every.map { now + $0 }
    }

    /// A test has not ended in time, or the next one is due.
    mutating func soundTestDue() {
        if let run = phone.soundTest.run {
            soundTested(run.test.number, .noDevice)
        } else if let tests = policy.soundTest {
            beginSoundTest(tests.route, nil)
        }
    }

    mutating func soundTested(_ number: UInt32, _ reading: SoundTestReading) {
        guard let run = phone.soundTest.run, run.test.number == number else { return }
        let result = SoundTestResult(route: run.test.route, reading)
        phone.soundTest.run = nil
        phone.soundTest.result = result
        if result.verdict == .tooLoud { testSoundSoon() }
        notice(.soundTested(result))
        if let action = run.action { settleAtOnce(action, .fulfilled) }
    }

    /// Ends the test when the phone is no longer at rest. A phone that comes to rest is not tested for a while. An
    /// overdue test begins when its hours come.
    mutating func keepSoundTest(since before: PhoneState) {
        if let every = policy.soundTest?.every, phone.soundTest.due == nil {
            phone.soundTest.due = now + min(every, SoundTestPolicy.retry)
        }
        if phone.isAtRest {
            if !before.isAtRest, let due = phone.soundTest.due {
                phone.soundTest.due = max(due, now + SoundTestPolicy.rest)
            }
        } else if let run = phone.soundTest.run {
            phone.soundTest.run = nil
            testSoundSoon()
            if let action = run.action { settleAtOnce(action, .failed(.soundInUse)) }
        }
        if let due = phone.soundTestDue(policy), due <= now { soundTestDue() }
    }

    /// The test had no result, so another one follows.
    private mutating func testSoundSoon() {
        phone.soundTest.due = policy.soundTest?.every.map { now + min($0, SoundTestPolicy.retry) }
    }
}

extension PhoneState {
    /// When a test is over or begins. Nil: none may begin now, whether or not one is due.
    func soundTestDue(_ policy: PhonePolicy) -> Instant? {
        if let run = soundTest.run { return run.until }
        guard isAtRest, let tests = policy.soundTest, tests.every != nil else { return nil }
        guard let hours = tests.hours else { return soundTest.due }
        return clock.map(hours.contains) ?? false ? soundTest.due : nil
    }
}
