import Platform

extension CalendarTime {
    /// The time as `2026-11-24 18:32:05`, in the machine's time zone.
    /// - Parameter unixMilliseconds: Since 1970, in UTC. A time outside the calendar gives a question mark.
    static func text(unixMilliseconds: Int64) -> String {
        let (nanoseconds, overflow) = unixMilliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow, let time = CalendarTime(nanoseconds, in: .local) else { return "?" }
        return "\(time.date) \(time.timeOfDay)"
    }
}
