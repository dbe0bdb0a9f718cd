/// How fast a delay changes by itself: that of a buffer, the far end's clock against the one of our sound device; that
/// between two sound devices.
///
/// Fed with the delay as it would be had nobody corrected it, it fits a line that forgets with a time constant of
/// half a minute. A delay far off the line is a step of the path, which says nothing about clocks: the line begins
/// anew there with the slope it had. Capture needs none of this: what the far end hears is corrected at the far end.
/// Cost: O(1), no allocation.
public struct ClockDrift: Sendable {
    /// Crystals are good for 0.01 %; more than this is another path, not another clock.
    static let limit = 0.004
    private static let memory = 30.0
    private static let step = 0.015
    /// What a slope of nothing weighs, in seconds squared, where networks jitter: two seconds of measurements outweigh it.
    public static let doubt = 2.0
    private static let largestFaith = 400.0

    private var weight = 0.0
    private var lastTime = 0.0
    private var meanTime = 0.0
    private var meanDelay = 0.0
    private var spread = 0.0
    private var covariance = 0.0
    /// The slope that was believed when the line began, and what it weighs.
    private var assumed = 0.0
    private var faith: Double

    /// - Parameter doubt: What a slope of nothing weighs, in seconds squared: less where delays are known exactly.
    public init(doubt: Double = doubt) { faith = doubt }

    /// Seconds of delay gained a second; positive when the far end is faster. Within ±`limit`.
    public var slope: Double {
        let fitted = (covariance + assumed * faith) / (spread + faith)
        return min(max(fitted, -Self.limit), Self.limit)
    }

    /// Where the line is at that time, in seconds of delay; 0 before anything was recorded.
    public func delay(at time: Double) -> Double { meanDelay + slope * (time - meanTime) }

    /// - Parameters:
    ///   - delay: in seconds, all corrections undone.
    ///   - time: in seconds, not before the one before.
    @_noLocks
    public mutating func observe(delay: Double, at time: Double) {
        if weight > 0, abs(delay - self.delay(at: time)) > Self.step { interrupt() }
        guard weight > 0 else {
            (weight, lastTime, meanTime, meanDelay) = (1, time, time, delay)
            return
        }
        let keep = max(0, 1 - (time - lastTime) / Self.memory)
        lastTime = time
        weight = weight * keep + 1
        let (ahead, above) = (time - meanTime, delay - meanDelay)
        meanTime += ahead / weight
        meanDelay += above / weight
        spread = spread * keep + ahead * (time - meanTime)
        covariance = covariance * keep + ahead * (delay - meanDelay)
    }

    /// The delay is about to change for another reason. What is known of the clocks stays.
    @_noLocks
    public mutating func interrupt() {
        (assumed, faith) = (slope, min(spread + faith, Self.largestFaith))
        (weight, spread, covariance) = (0, 0, 0)
    }
}
