/// Measures how late packets are, and which delay would be enough for nearly all of them.
///
/// Lateness is measured against the fastest transit of the last eight seconds, which follows clock drift and lasting
/// changes of the path. Its distribution is a histogram that forgets with a time constant of eight seconds. The delay
/// that is enough is its 97th percentile; playout has to wait for packets that are later. A packet that missed its time
/// counts four times: a few of them raise the percentile at once, but it falls only as they are forgotten.
///
/// Of packets that a stalled path delivers all at once only the first counts. Otherwise one stall would count as many
/// late packets. Packets that are late for longer than half a second are not a stall, but show a slower path. No
/// allocation after `init`.
struct DelayEstimate: ~Copyable, Sendable {
    private static let binsPerSecond: Int64 = 500
    private static let windowSeconds = 8
    private static let lateWeight: Float = 4
    private static let tail: Float = 0.03
    /// A packet that is later than `enough` by more than this belongs to a stall.
    private static let stall = Duration.milliseconds(80)
    private static let longestStall = Duration.milliseconds(500)

    private enum Path {
        case steady
        case stalled(since: Int64)
        /// The path has become slower for good. This lasts until `enough` has grown to that lateness.
        case slow
    }

    private let clock: MediaClock
    private let binTicks: Int64
    private let maximum: Int64
    private var bins: [Float]
    private var total: Float = 0
    /// The fastest transit in each of the last eight seconds.
    private var fastest = InlineArray<8, Int64>(repeating: .max)
    private var second = Int64.min
    /// The transit of the fastest recent packet, in ticks: arrival minus timestamp.
    private(set) var base = Int64.max
    /// The transit of bin 0.
    private var origin = Int64.max
    private var path = Path.steady
    /// The lateness below which nearly all packets stay, in ticks.
    private(set) var enough: Int64

    init(clock: MediaClock, maximum: Duration) {
        precondition(maximum > .zero && maximum <= .seconds(5), "the maximum delay is above 0 and at most 5 s")
        self.clock = clock
        self.maximum = clock.ticks(maximum)
        binTicks = max(1, Int64(clock.rate) / Self.binsPerSecond)
        bins = Array(repeating: 0, count: Int(self.maximum / binTicks) + 1)
        enough = binTicks
    }

    var isEmpty: Bool { base == .max }

    mutating func reset() {
        for index in bins.indices { bins[index] = 0 }
        total = 0
        for index in fastest.indices { fastest[index] = .max }
        second = .min
        base = .max
        origin = .max
        path = .steady
        enough = binTicks
    }

    /// How much later than the fastest packet a packet is; negative if it is faster than all recent ones.
    func lateness(arrival: Int64, timestamp: Int64) -> Int64 { isEmpty ? 0 : arrival - timestamp - base }

    mutating func observe(arrival: Int64, timestamp: Int64, packetTicks: Int64, missed: Bool) {
        trackFastest(transit: arrival - timestamp, at: arrival)
        followBase()
        let lateness = max(0, arrival - timestamp - origin)
        guard counts(lateness, at: arrival) else { return }
        let keep = 1 - Float(packetTicks) / Float(Self.windowSeconds * clock.rate)
        let weight = missed ? Self.lateWeight : 1
        for index in bins.indices { bins[index] *= keep }
        bins[min(Int(lateness / binTicks), bins.count - 1)] += weight
        total = total * keep + weight
        enough = min(percentile(), maximum)
    }

    /// Makes `transit` the fastest one, although earlier packets were faster. After a step of the path, packets that
    /// were late by that step are no longer late. The histogram moves by the same step.
    mutating func restart(transit: Int64) {
        for index in fastest.indices { fastest[index] = .max }
        fastest[slot(second)] = transit
        base = transit
        path = .steady
        followBase()
        enough = min(percentile(), maximum)
    }

    private mutating func counts(_ lateness: Int64, at arrival: Int64) -> Bool {
        guard lateness > enough + clock.ticks(Self.stall) else {
            path = .steady
            return true
        }
        switch path {
        case .steady:
            path = .stalled(since: arrival)
            return true
        case .stalled(let since):
            guard arrival - since > clock.ticks(Self.longestStall) else { return false }
            path = .slow
            return true
        case .slow:
            return true
        }
    }

    private mutating func trackFastest(transit: Int64, at arrival: Int64) {
        let now = arrival / Int64(clock.rate)
        if second == .min { second = now }
        // Seconds without packets are empty. After a whole window without packets, all seconds are empty.
        for past in max(second + 1, now - Int64(Self.windowSeconds) + 1)..<max(now + 1, second + 1) {
            fastest[slot(past)] = .max
        }
        second = max(second, now)
        fastest[slot(second)] = min(fastest[slot(second)], transit)
        base = .max
        for index in fastest.indices { base = min(base, fastest[index]) }
    }

    /// When the path has become slower for good, old latenesses become smaller: the histogram moves with the base. When
    /// it has become faster, the histogram stays. Otherwise a single fast packet would look like a lasting delay.
    private mutating func followBase() {
        guard base > origin else {
            origin = base
            return
        }
        let steps = Int(min((base - origin) / binTicks, Int64(bins.count)))
        guard steps > 0 else { return }
        origin += (base - origin) / binTicks * binTicks
        for index in bins.indices {
            let weight = bins[index]
            bins[index] = 0
            bins[max(0, index - steps)] += weight
        }
    }

    private func slot(_ second: Int64) -> Int { Int(second & Int64(Self.windowSeconds - 1)) }

    /// The upper edge of the bin above which the tail begins.
    private func percentile() -> Int64 {
        var above: Float = 0
        var index = bins.count - 1
        while index > 0 {
            above += bins[index]
            if above > total * Self.tail { break }
            index -= 1
        }
        return Int64(index + 1) * binTicks
    }
}
