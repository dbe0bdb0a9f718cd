import Base

/// A test whether the microphone of a route hears its loudspeaker.
public struct SoundTest: Hashable, Codable, Sendable {
    /// Distinguishes a test from those before it.
    public var number: UInt32
    public var route: Route

    public init(number: UInt32, route: Route) { (self.number, self.route) = (number, route) }
}

/// Media's measurement in a test.
public enum SoundTestReading: Equatable, Codable, Sendable {
    /// How loud the microphone was at the test's pitches before its sound and during it, in dB below full scale. The
    /// values are those of the pitch that stood out least.
    case heard(before: Double, during: Double)
    /// A device of the route did not work.
    case noDevice
}

/// The verdict about a route's loudspeaker and microphone.
public enum SoundTestVerdict: String, CaseIterable, Codable, Sendable {
    case ok
    /// The microphone did not hear the loudspeaker.
    case silent
    /// The surroundings were too loud for a verdict.
    case tooLoud
    /// A device is missing or does not work.
    case missing

    /// Whether a person should look at the phone.
    public var isFault: Bool { self == .silent || self == .missing }
}

public struct SoundTestResult: Equatable, Codable, Sendable {
    /// The least rise of the level, in decibels, at which a sound counts as heard.
    private static let clearance = 12.0
    /// Noise above this level at the test's pitches may hide a sound that has crossed part of a room.
    private static let loudest = -55.0

    public var route: Route
    public var verdict: SoundTestVerdict
    /// The levels of `SoundTestReading.heard`. Nil without a device.
    public var before: Double?
    public var during: Double?

    public init(route: Route, verdict: SoundTestVerdict, before: Double? = nil, during: Double? = nil) {
        (self.route, self.verdict, self.before, self.during) = (route, verdict, before, during)
    }

    init(route: Route, _ reading: SoundTestReading) {
        switch reading {
        case .noDevice: self.init(route: route, verdict: .missing)
        case .heard(let before, let during):
            let isHeard = during - before >= Self.clearance
            let verdict = isHeard ? SoundTestVerdict.ok : before > Self.loudest ? .tooLoud : .silent
            self.init(route: route, verdict: verdict, before: before, during: during)
        }
    }

    /// The result for people.
    public var sentence: String {
        switch verdict {
        case .ok: "the \(route.rawValue)'s microphone hears its loudspeaker"
        case .silent:
            "the \(route.rawValue)'s microphone does not hear its loudspeaker: one of them is dead, covered or unplugged"
        case .tooLoud: "it was too loud at the \(route.rawValue) to tell whether its microphone hears its loudspeaker"
        case .missing: "a sound device of the \(route.rawValue) is missing or does not work"
        }
    }
}

/// When the phone tests by itself whether its microphone hears its loudspeaker.
public struct SoundTestPolicy: Equatable, Codable, Sendable {
    /// The part of the day in which it may be heard. It passes midnight if its end is not after its start.
    public struct Hours: Equatable, Codable, Sendable {
        /// Minutes of the day. Equal values mean a whole day.
        public var start: Int
        public var end: Int

        /// - Precondition: minutes of a day.
        public init(from start: Int, to end: Int) {
            (self.start, self.end) = (start, end)
            precondition(isSound, "hours are minutes of a day")
        }

        var isSound: Bool {
            let day = 0..<WeekTime.minutesOfDay
            return day.contains(start) && day.contains(end)
        }

        func contains(_ time: WeekTime) -> Bool {
            end > start ? (start..<end).contains(time.minute) : time.minute >= start || time.minute < end
        }
    }

    /// The route to test. It cannot be the handset, which does not hear itself in its cradle.
    public var route: Route
    public var every: Duration?
    /// Nil: at any time.
    public var hours: Hours?

    public static let usualRoute = Route.speaker
    /// Media's measurement takes less time than this. If it cannot measure, it reports that.
    static let longest = Duration.seconds(10)
    /// When the first test follows the start, and another test follows one without a result.
    static let retry = Duration.seconds(600)
    /// How long the phone must have been at rest.
    static let rest = Duration.seconds(60)

    public init(route: Route = usualRoute, every: Duration? = nil, hours: Hours? = nil) {
        (self.route, self.every, self.hours) = (route, every, hours)
    }

    var isSound: Bool { route != .handset && hours?.isSound ?? true }
}

/// The tests of loudspeaker and microphone: the running one, the next one, and the last result.
struct SoundTestWatch: Equatable, Codable, Sendable {
    struct Run: Equatable, Codable, Sendable {
        var test: SoundTest
        /// When the test counts as failed.
        var until: Instant
        /// The action that asked for it. Nil: the phone tests by itself.
        var action: ActionID?
    }

    var run: Run?
    /// The time from which on the phone tests by itself, as soon as it may.
    var due: Instant?
    var result: SoundTestResult?
    var count: UInt32 = 0
}

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
