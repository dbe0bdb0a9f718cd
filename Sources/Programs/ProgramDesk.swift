import Base

/// Decides whether a program may start now. A flood of events must not flood the machine with programs.
package struct ProgramDesk: Sendable {
    /// The most programs of one rule that run at the same time.
    package static let mostOfOneRule = 4
    /// The most programs of all rules that run at the same time: fewer than systemd's limit of tasks for a unit.
    package static let mostOfAll = 16
    /// How often a person is informed while events are being dropped.
    private static let tellingPause = Duration.seconds(10)

    /// Ten programs a second, over all rules.
    private var rate = RateLimit(burst: 10, interval: .milliseconds(100))
    private var running: [Int: Int] = [:]
    private var untold = 0
    private var told: Instant?
    package private(set) var started = 0
    package private(set) var dropped: [ProgramStatistics.Limit: Int] = [:]

    package init() {}

    /// - Parameter rule: Its number.
    /// - Returns: Nil if a program of the rule may start; it then counts as running. Otherwise the limit that forbids
    ///   it.
    package mutating func admit(_ rule: Int, at now: Instant) -> ProgramStatistics.Limit? {
        let limit: ProgramStatistics.Limit?
        if running[rule, default: 0] >= Self.mostOfOneRule || running.values.reduce(0, +) >= Self.mostOfAll {
            limit = .running
        } else {
            limit = rate.admit(at: now) ? nil : .rate
        }
        if let limit {
            dropped[limit, default: 0] += 1
            untold += 1
        } else {
            running[rule, default: 0] += 1
            started += 1
        }
        return limit
    }

    package mutating func ended(_ rule: Int) {
        // Rules come and go with the configuration.
        let left = running[rule, default: 1] - 1
        running[rule] = left > 0 ? left : nil
    }

    /// The number of dropped events to report now. Nil: none, or it is too early for another report.
    package mutating func takeUntold(at now: Instant) -> Int? {
        if let told, now < told + Self.tellingPause { return nil }
        guard untold > 0 else { return nil }
        defer { (untold, told) = (0, now) }
        return untold
    }
}
