/// Measures the playout delay and decides how to bring it to the target. It removes small differences by playing a
/// little faster or slower, and larger ones by stretching.
///
/// The smallest delay of each quarter second counts, because lateness of the caller can only add to the delay. The
/// delay is never made shorter than the packets of the last half second needed, even when the target is lower.
struct PlayoutPace: Sendable {
    /// The largest change of the speed. Half a percent (a twelfth of a semitone) is inaudible.
    static let largestCorrection = 0.005
    /// The approximate time in seconds in which a small difference is halved.
    private static let settling = 1.0

    /// The weight of one packet in the share of lost packets.
    private static let lossWeight: Float = 1 / 64

    private let clock: MediaClock
    private let window: Int64
    /// Larger shortages and surpluses than these are removed by stretching.
    private let shortage: Int64
    private let surplus: Int64
    /// A surplus above `excess` is removed as fast as the sound allows. A smaller one is removed with a pause of
    /// `spacing` between two cuts.
    private let excess: Int64
    private let spacing: Int64

    private var smallest = Int64.max
    /// The fastest transit of this window and the three before.
    private var fastest = InlineArray<4, Int64>(repeating: .max)
    private var windows = 0
    private var windowEnd = Int64.min
    /// The smallest delay of the last window, corrected for later moves of the playout point; nil before the first
    /// window.
    private var settled: Int64?
    /// The least time by which packets came before they were needed: in this window, and in the last whole one.
    private var leastSlack = Int64.max
    private var settledSlack: Int64 = 0
    private var lastCut = Int64.min / 2
    /// Ticks invented while no packet was there to play, less those of packets that were stepped over for them.
    private(set) var waited: Int64 = 0
    /// Ticks by which all corrections have shortened the delay since the line of `drift` began.
    private var corrected = 0.0
    private var previous: Int64?
    /// The transit from which the newest delay counts.
    private var base: Int64?
    private var drift = ClockDrift()
    /// The share of packets lost recently.
    private var lossShare: Float = 0
    private(set) var isLossy = false
    /// The delay at the newest take, in ticks.
    private(set) var delay: Int64 = 0
    /// How much faster sound is to be played than the sender's clock says, at most `largestCorrection`.
    private(set) var correction = 0.0

    init(clock: MediaClock) {
        self.clock = clock
        window = clock.ticks(.milliseconds(250))
        shortage = clock.ticks(.milliseconds(5))
        surplus = clock.ticks(.milliseconds(10))
        excess = clock.ticks(.milliseconds(60))
        spacing = clock.ticks(.milliseconds(100))
    }

    var driftShare: Double { drift.slope }

    /// Prepares for a new start of playout. The share of lost packets and the clock drift are kept.
    mutating func restart() {
        smallest = .max
        fastest = InlineArray(repeating: .max)
        windowEnd = .min
        settled = nil
        leastSlack = .max
        settledSlack = 0
        waited = 0
        corrected = 0
        previous = nil
        base = nil
        drift.interrupt()
        correction = drift.slope
    }

    mutating func reset() { self = PlayoutPace(clock: clock) }

    /// Records that sound was invented because no packet was there. The delay grows, unless the missing packet never
    /// arrives.
    mutating func wait(_ ticks: Int64) { waited += ticks }

    /// Records that a packet is played with this delay, after stepping over `gap` ticks that are missing before it.
    /// `gap` is negative when the packet's timestamp is behind what was played.
    /// - Parameters:
    ///   - transit: its arrival minus its timestamp.
    ///   - base: the transit of the fastest packet. The `delay` counts from it.
    ///   - quantum: how long before its playout the packet must be here.
    mutating func observe(
        delay: Int64, transit: Int64, base: Int64, gap: Int64, quantum: Int64, target: Int64, at time: Int64
    ) {
        follow(base)
        shift(by: waited - gap)
        waited = 0
        if let previous { corrected += correction * Double(min(time - previous, Int64(clock.rate))) }
        previous = time
        self.delay = delay
        smallest = min(smallest, delay)
        fastest[windows & 3] = min(fastest[windows & 3], transit)
        leastSlack = min(leastSlack, delay + base - transit - quantum)
        if windowEnd == .min { windowEnd = time + window }
        guard time >= windowEnd else { return }
        drift.observe(delay: seconds(Double(smallest + base - fastestLately) + corrected), at: seconds(Double(time)))
        (settled, settledSlack) = (smallest, leastSlack)
        (smallest, leastSlack) = (.max, .max)
        windows += 1
        fastest[windows & 3] = .max
        windowEnd = time + window
        steer(smallestDelay: settled ?? target, to: target)
    }

    /// The fastest transit of the last second. The fastest of eight seconds, from which delays count, is out of date
    /// when the far end's clock is slow. The fastest of a single window is noisy where there is jitter.
    private var fastestLately: Int64 { min(min(fastest[0], fastest[1]), min(fastest[2], fastest[3])) }

    mutating func recordPackets(lost: Int64) {
        for _ in 0..<min(lost, 64) { lossShare += (1 - lossShare) * Self.lossWeight }
        lossShare -= lossShare * Self.lossWeight
        if lossShare > 0.02 { isLossy = true }
        if lossShare < 0.004 { isLossy = false }
    }

    /// Takes back approximately the weight of one packet that was counted as lost but was not.
    mutating func excuseLoss() {
        lossShare = max(0, lossShare - Self.lossWeight)
        if lossShare < 0.004 { isLossy = false }
    }

    /// Ticks by which the sound played now should last longer or, when negative, shorter. 0 when the correction of the
    /// speed is enough.
    func stretch(to target: Int64, at time: Int64) -> Int64 {
        guard let settled else { return 0 }
        let error = settled - target
        if error < -shortage { return -error }
        let spare = min(error, min(settledSlack, leastSlack))
        guard spare > surplus, error > excess || time - lastCut >= spacing else { return 0 }
        return -spare
    }

    /// Records that the playout point was moved: the delay is longer by `ticks` or, when negative, shorter.
    mutating func move(by ticks: Int64, at time: Int64) {
        if ticks < 0 { lastCut = time }
        shift(by: ticks)
    }

    /// Converts measured delays to a new base transit. The playout point has not moved.
    private mutating func follow(_ base: Int64) {
        let step = (self.base ?? base) - base
        if let settled { self.settled = settled + step }
        if smallest != .max { smallest += step }
        self.base = base
    }

    /// Applies a step of the playout point to the values measured before it.
    private mutating func shift(by ticks: Int64) {
        if let settled { self.settled = settled + ticks }
        if smallest != .max { smallest += ticks }
        if leastSlack != .max { leastSlack += ticks }
        settledSlack += ticks
        corrected -= Double(ticks)
    }

    /// Sets the correction to the clock drift plus a small part towards the target.
    private mutating func steer(smallestDelay: Int64, to target: Int64) {
        let error = min(smallestDelay - target, max(0, settledSlack))
        let wanted = drift.slope + seconds(Double(error)) / Self.settling
        correction = min(max(wanted, -Self.largestCorrection), Self.largestCorrection)
    }

    private func seconds(_ ticks: Double) -> Double { ticks / Double(clock.rate) }
}
