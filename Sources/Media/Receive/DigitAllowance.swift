import Base

/// How many digits a far end may press: one in 40 ms, which is faster than anybody does, and some at once, as a network
/// delivers them that stood still. The rest of a flood is not told to a phone that has other things to hear.
struct DigitAllowance: Sendable {
    private static let interval = Duration.milliseconds(40)
    private static let burst = 16

    /// When all that were told would have been pressed.
    private var end = Instant.zero

    mutating func admits(at now: Instant) -> Bool {
        let next = max(end, now) + Self.interval
        guard next - now <= Self.interval * Self.burst else { return false }
        end = next
        return true
    }
}
