/// Watches the delay at which sound is played and says when to invent or throw away some to reach the target.
///
/// The smallest delay of each quarter second counts, because the caller's own lateness only ever adds.
struct PlayoutPace: Sendable {
    private let window: Int64
    /// Without a quiet moment a surplus is borne this long.
    private let patience: Int64
    /// Between two frames thrown away while somebody speaks.
    private let spacing: Int64
    private var smallest = Int64.max
    private var windowEnd = Int64.min
    private var surplusSince = Int64.max
    private var lastSkip = Int64.min / 2
    /// Smallest delay of the last window, corrected for what was done since; nil before the first window.
    private var settled: Int64?
    /// Ticks invented while nothing was there to play, less those of packets that were stepped over for them.
    private var waited: Int64 = 0
    /// Share of packets lost lately.
    private var lossShare: Float = 0
    private(set) var isLossy = false
    /// Delay at the newest take, in ticks.
    private(set) var delay: Int64 = 0

    init(clock: MediaClock) {
        window = Int64(clock.rate) / 4
        patience = Int64(clock.rate) * 2
        spacing = Int64(clock.rate) / 10
    }

    /// Sound starts afresh; loss is remembered.
    mutating func restart() {
        smallest = .max
        windowEnd = .min
        surplusSince = .max
        settled = nil
        waited = 0
    }

    mutating func reset() {
        restart()
        lossShare = 0
        isLossy = false
        delay = 0
    }

    /// Sound was invented because nothing was there: the delay grows, unless what was missing never comes.
    mutating func wait(_ ticks: Int64) { waited += ticks }

    /// A packet is played with this delay, after stepping over `gap` ticks that are missing before it.
    mutating func observe(delay: Int64, gap: Int64, at time: Int64) {
        shift(by: waited - gap)
        waited = 0
        self.delay = delay
        smallest = min(smallest, delay)
        if windowEnd == .min { windowEnd = time + window }
        guard time >= windowEnd else { return }
        settled = smallest
        smallest = .max
        windowEnd = time + window
    }

    mutating func recordPackets(lost: Int64) {
        for _ in 0..<min(lost, 64) { lossShare += (1 - lossShare) / 64 }
        lossShare -= lossShare / 64
        if lossShare > 0.02 { isLossy = true }
        if lossShare < 0.004 { isLossy = false }
    }

    /// True when sound should be invented now, because the delay is below the target by more than `tolerance`.
    mutating func shouldExpand(by ticks: Int64, target: Int64, packet: Int64, tolerance: Int64, isQuiet: Bool) -> Bool {
        guard let settled, settled < target - tolerance else { return false }
        guard isQuiet || settled <= target - packet else { return false }
        shift(by: ticks)
        return true
    }

    /// True when a packet should be thrown away: the delay stays at or above the target without it.
    mutating func shouldSkip(packet: Int64, target: Int64, isQuiet: Bool, at time: Int64) -> Bool {
        guard let settled, settled - packet >= target else {
            surplusSince = .max
            return false
        }
        surplusSince = min(surplusSince, time)
        let isUrgent = settled - target > 3 * packet || time - surplusSince > patience
        guard isQuiet || (isUrgent && time - lastSkip > spacing) else { return false }
        lastSkip = time
        shift(by: -packet)
        return true
    }

    /// What was measured before a step of the playout point holds after it, so much later.
    private mutating func shift(by ticks: Int64) {
        if let settled { self.settled = settled + ticks }
        if smallest != .max { smallest += ticks }
    }
}
