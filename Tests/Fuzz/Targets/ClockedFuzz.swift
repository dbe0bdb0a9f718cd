import Base

/// A core with inputs, whose time advances from deadline to deadline.
protocol ClockedFuzz {
    /// More deadlines than these in one span of time mean that one of them does not pass.
    static var turnLimit: Int { get }
    var now: Instant { get set }
    var deadline: Instant? { get }
    mutating func passDeadline()
}

extension ClockedFuzz {
    mutating func run(for duration: Duration) {
        let end = now + duration
        var turns = 0
        while let due = deadline, due <= end {
            turns += 1
            precondition(turns < Self.turnLimit, "a deadline that does not pass")
            now = max(now, due)
            passDeadline()
        }
        now = end
    }
}
