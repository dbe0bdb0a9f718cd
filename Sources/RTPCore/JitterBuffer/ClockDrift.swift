/// Estimates how fast a delay drifts. It is the delay between two sound devices, or that of a buffer, which changes
/// with the far end's clock against the clock of our sound device.
///
/// The caller supplies the delay as it would be without any correction. The estimate is the slope of a fitted line that
/// forgets with a time constant of half a minute. A delay far off the line is a step of the path and contains no
/// information about the clocks. The line then begins again there with its old slope. Capture needs no estimate,
/// because the far end corrects its own playout delay.
/// Cost: O(1), no allocation.
public struct ClockDrift: Sendable {
    /// Crystals are accurate to 0.01 %. A larger slope than this comes from a change of the path, not from the clocks.
    static let limit = 0.004
    private static let memory = 30.0
    private static let step = 0.015
    /// The weight of the assumption that the slope is 0, in seconds squared, for networks with jitter. Two seconds of
    /// measurements outweigh it.
    public static let doubt = 2.0
    private static let largestFaith = 400.0

    private var weight = 0.0
    private var lastTime = 0.0
    private var meanTime = 0.0
    private var meanDelay = 0.0
    private var spread = 0.0
    private var covariance = 0.0
    /// The slope that was assumed when the line began, and the weight of that assumption.
    private var assumed = 0.0
    private var faith: Double

    /// - Parameter doubt: The weight of the assumption that the slope is 0, in seconds squared. It is smaller where
    ///   delays are known exactly.
    public init(doubt: Double = doubt) { faith = doubt }

    /// Seconds of delay gained per second; positive when the far end is faster. Within ±`limit`.
    public var slope: Double {
        let fitted = (covariance + assumed * faith) / (spread + faith)
        return min(max(fitted, -Self.limit), Self.limit)
    }

    /// The delay of the line at `time`, in seconds; 0 before the first measurement.
    public func delay(at time: Double) -> Double { meanDelay + slope * (time - meanTime) }

    /// - Parameters:
    ///   - delay: in seconds, without the effect of all corrections.
    ///   - time: in seconds, not earlier than in the call before.
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

    /// Begins a new line, because the delay is about to change for a reason other than the clocks. The known slope is
    /// kept.
    @_noLocks
    public mutating func interrupt() {
        (assumed, faith) = (slope, min(spread + faith, Self.largestFaith))
        (weight, spread, covariance) = (0, 0, 0)
    }
}
