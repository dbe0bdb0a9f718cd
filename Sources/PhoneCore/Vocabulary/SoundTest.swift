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
