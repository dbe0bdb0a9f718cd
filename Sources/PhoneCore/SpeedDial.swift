/// A key that dials: the first target, and the next one whenever nobody answered.
public struct SpeedDial: Equatable, Codable, Sendable {
    /// Other targets at some hours of some days. Past midnight, where it ends before it starts.
    public struct Hours: Equatable, Codable, Sendable {
        /// On which it starts.
        public var days: Set<WeekTime.Day>
        /// Minutes of the day. Equal ones are a whole day.
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

    /// What its first target is, when the server is asked what happens there.
    public enum Watched: String, CaseIterable, Codable, Sendable {
        /// Somebody's phone: its ringing calls can be picked up.
        case phone
        /// A place where calls are parked and taken back.
        case orbit
    }

    /// Whom it calls outside the hours, and while nobody has told the time.
    public var targets: [String]
    public var account: AccountID?
    /// The first that contains the time counts.
    public var hours: [Hours]
    /// Nil: nobody is asked.
    public var watched: Watched?

    /// - Precondition: at least one target.
    public init(_ targets: [String], account: AccountID? = nil, hours: [Hours] = [], watched: Watched? = nil) {
        precondition(!targets.isEmpty, "a speed dial dials something")
        (self.targets, self.account, self.hours, self.watched) = (targets, account, hours, watched)
    }

    var isSound: Bool { !targets.isEmpty && hours.allSatisfy(\.isSound) }

    /// Whom it calls at that time; the hours have done their work then.
    func at(_ time: WeekTime?) -> SpeedDial {
        let now = time.flatMap { time in hours.first { $0.contains(time) } }
        return SpeedDial(now?.targets ?? targets, account: account)
    }
}
