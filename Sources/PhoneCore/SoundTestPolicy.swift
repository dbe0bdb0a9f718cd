import Base

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
