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
