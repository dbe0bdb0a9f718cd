/// The targets of a speed-dial key: the first one, and the next each time a target cannot be reached.
public struct SpeedDial: Equatable, Codable, Sendable {
    /// Other targets at some hours of some days. The hours pass midnight if their end is not after their start.
    public struct Hours: Equatable, Codable, Sendable {
        /// The days on which the hours start.
        public var days: Set<WeekTime.Day>
        /// Minutes of the day. Equal values mean a whole day.
        public var start: Int
        public var end: Int
        public var targets: [String]

        /// - Precondition: at least one target, and minutes of a day.
        public init(_ days: Set<WeekTime.Day>, from start: Int, to end: Int, targets: [String]) {
            (self.days, self.start, self.end, self.targets) = (days, start, end, targets)
            precondition(isSound, "hours name targets and minutes of a day")
        }

        var isSound: Bool {
            let day = 0..<WeekTime.minutesOfDay
            return !targets.isEmpty && day.contains(start) && day.contains(end)
        }

        func contains(_ time: WeekTime) -> Bool {
            guard end <= start else { return days.contains(time.day) && (start..<end).contains(time.minute) }
            return time.minute >= start
                ? days.contains(time.day) : time.minute < end && days.contains(time.day.before)
        }
    }

    /// The kind of the first target, if the server is asked for its state.
    public enum Watched: String, CaseIterable, Codable, Sendable {
        /// A phone: its ringing calls can be picked up.
        case phone
        /// A park orbit: calls are parked there and taken back.
        case orbit
    }

    /// The targets outside the hours, and while the time is not known.
    public var targets: [String]
    public var account: AccountID?
    /// The first hours that contain the time apply.
    public var hours: [Hours]
    /// Nil: the server is not asked.
    public var watched: Watched?

    /// - Precondition: at least one target.
    public init(_ targets: [String], account: AccountID? = nil, hours: [Hours] = [], watched: Watched? = nil) {
        precondition(!targets.isEmpty, "a speed dial dials something")
        (self.targets, self.account, self.hours, self.watched) = (targets, account, hours, watched)
    }

    var isSound: Bool { !targets.isEmpty && hours.allSatisfy(\.isSound) }

    /// The key's targets at that time. The result has no hours, because they are evaluated here.
    func at(_ time: WeekTime?) -> SpeedDial {
        let now = time.flatMap { time in hours.first { $0.contains(time) } }
        return SpeedDial(now?.targets ?? targets, account: account)
    }
}

/// A minute of the week in the phone's local time.
public struct WeekTime: Hashable, RawRepresentable, Codable, Sendable {
    public enum Day: Int, CaseIterable, Codable, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday

        var before: Day { Day(rawValue: (rawValue + 6) % 7) ?? self }
    }

    public static let minutesOfDay = 1_440

    /// Minutes since Monday, 00:00; below 10,080.
    public let rawValue: Int

    public init?(rawValue: Int) {
        guard (0..<7 * Self.minutesOfDay).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// - Precondition: a minute of a day.
    public init(_ day: Day, minute: Int) {
        precondition((0..<Self.minutesOfDay).contains(minute), "a day has 1,440 minutes")
        rawValue = day.rawValue * Self.minutesOfDay + minute
    }

    var day: Day { Day(rawValue: rawValue / Self.minutesOfDay) ?? .monday }
    var minute: Int { rawValue % Self.minutesOfDay }
}
