/// Watches the delay at which sound is played and says how to bring it to the target: small differences by playing a
/// little faster or slower, larger ones by stretching.
///
/// The smallest delay of each quarter second counts, because the caller's own lateness only ever adds. It is never
/// made shorter than the packets of the last half second needed, whatever the target says.
struct PlayoutPace: Sendable {
    /// The most by which sound is played faster or slower: nobody hears half a percent (a twelfth of a semitone).
    static let largestCorrection = 0.005
    /// Seconds in which a small difference is halved, about.
    private static let settling = 1.0

    /// What a packet weighs in the share of those that were lost.
    private static let lossWeight: Float = 1 / 64

    private let clock: MediaClock
    private let window: Int64
    /// Shortages and surpluses beyond these are stretched away.
    private let shortage: Int64
    private let surplus: Int64
    /// A surplus above this is taken down as fast as the sound allows; below, with a pause between two cuts.
    private let excess: Int64
    private let spacing: Int64

    private var smallest = Int64.max
    /// The fastest transit of this window and the three before.
    private var fastest = InlineArray<4, Int64>(repeating: .max)
    private var windows = 0
    private var windowEnd = Int64.min
    /// Smallest delay of the last window, corrected for what was done since; nil before the first window.
    private var settled: Int64?
    /// By how much packets came before they were needed: the least of the last whole window and of this one.
    private var leastSlack = Int64.max
    private var settledSlack: Int64 = 0
    private var lastCut = Int64.min / 2
    /// Ticks invented while nothing was there to play, less those of packets that were stepped over for them.
    private(set) var waited: Int64 = 0
    /// Ticks by which everything that was done has shortened the delay since the line of `drift` began.
    private var corrected = 0.0
    private var previous: Int64?
    /// The transit that the newest delay counts from.
    private var base: Int64?
    private var drift = ClockDrift()
    /// Share of packets lost lately.
    private var lossShare: Float = 0
    private(set) var isLossy = false
    /// Delay at the newest take, in ticks.
    private(set) var delay: Int64 = 0
    /// How much faster than the sender's clock says sound is to be played, at most `largestCorrection`.
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

    /// Sound starts afresh; loss and clocks are remembered.
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

    /// Sound was invented because nothing was there: the delay grows, unless what was missing never comes.
    mutating func wait(_ ticks: Int64) { waited += ticks }

    /// A packet is played with this delay, after stepping over `gap` ticks that are missing before it; less than none
    /// when its timestamp is behind what was played.
    /// - Parameters:
    ///   - transit: its arrival minus its timestamp.
    ///   - base: the transit of the fastest packet, from which `delay` counts.
    ///   - quantum: how long before it is heard it must be here.
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

    /// Of one second: that of eight, from which delays count, is old when the far end is slow, and that of a single
    /// window is noise where there is jitter.
    private var fastestLately: Int64 { min(min(fastest[0], fastest[1]), min(fastest[2], fastest[3])) }

    mutating func recordPackets(lost: Int64) {
        for _ in 0..<min(lost, 64) { lossShare += (1 - lossShare) * Self.lossWeight }
        lossShare -= lossShare * Self.lossWeight
        if lossShare > 0.02 { isLossy = true }
        if lossShare < 0.004 { isLossy = false }
    }

    /// One that was counted was not lost: about what it weighed is taken back.
    mutating func excuseLoss() {
        lossShare = max(0, lossShare - Self.lossWeight)
        if lossShare < 0.004 { isLossy = false }
    }

    /// Ticks by which what is played now should last longer or, negative, shorter. 0 where steering is enough.
    func stretch(to target: Int64, at time: Int64) -> Int64 {
        guard let settled else { return 0 }
        let error = settled - target
        if error < -shortage { return -error }
        let spare = min(error, min(settledSlack, leastSlack))
        guard spare > surplus, error > excess || time - lastCut >= spacing else { return 0 }
        return -spare
    }

    /// The playout point was moved: the delay is longer by so much, or shorter.
    mutating func move(by ticks: Int64, at time: Int64) {
        if ticks < 0 { lastCut = time }
        shift(by: ticks)
    }

    /// Delays that were measured from another transit are longer or shorter from this one, though nothing was moved.
    private mutating func follow(_ base: Int64) {
        let step = (self.base ?? base) - base
        if let settled { self.settled = settled + step }
        if smallest != .max { smallest += step }
        self.base = base
    }

    /// What was measured before a step of the playout point holds after it, so much later.
    private mutating func shift(by ticks: Int64) {
        if let settled { self.settled = settled + ticks }
        if smallest != .max { smallest += ticks }
        if leastSlack != .max { leastSlack += ticks }
        settledSlack += ticks
        corrected -= Double(ticks)
    }

    /// What the clocks need, and a little more towards the target.
    private mutating func steer(smallestDelay: Int64, to target: Int64) {
        let error = min(smallestDelay - target, max(0, settledSlack))
        let wanted = drift.slope + seconds(Double(error)) / Self.settling
        correction = min(max(wanted, -Self.largestCorrection), Self.largestCorrection)
    }

    private func seconds(_ ticks: Double) -> Double { ticks / Double(clock.rate) }
}
