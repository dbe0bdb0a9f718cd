/// Lets a burst pass, and after it a steady rate.
package struct RateLimit: Equatable, Sendable {
    package let burst: Int
    /// The time after which one more may pass.
    package let interval: Duration
    private var left: Int
    private var counted: Instant?

    package init(burst: Int, interval: Duration) {
        precondition(burst > 0 && interval > .zero, "a rate is positive")
        self.burst = burst
        self.interval = interval
        left = burst
    }

    /// Whether one more may pass now. If so, it is counted.
    package mutating func admit(at now: Instant) -> Bool {
        let since = counted ?? now
        let earned = Int((now - since).nanoseconds / interval.nanoseconds)
        left = min(burst, left + max(0, earned))
        counted = left == burst ? now : since + interval * max(0, earned)
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
