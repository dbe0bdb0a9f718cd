import RTPCore
import Synchronization

/// The pattern of missing packets, from the audio thread to the network thread, one figure at a time. Each figure only
/// grows. Figures that are read during a change may differ by a packet, which is acceptable for ratios.
struct PatternGauge: ~Copyable {
    private let heard = Atomic<Int>(0)
    private let missing = Atomic<Int>(0)
    private let discarded = Atomic<Int>(0)
    private let rows = Atomic<Int>(0)
    private let bursts = Atomic<Int>(0)
    private let burstPackets = Atomic<Int>(0)
    private let burstMissing = Atomic<Int>(0)

    borrowing func store(_ counts: LossPattern.Counts) {
        heard.store(Int(counts.heard), ordering: .relaxed)
        missing.store(Int(counts.missing), ordering: .relaxed)
        discarded.store(Int(counts.discarded), ordering: .relaxed)
        rows.store(Int(counts.rows), ordering: .relaxed)
        bursts.store(Int(counts.bursts), ordering: .relaxed)
        burstPackets.store(Int(counts.burstPackets), ordering: .relaxed)
        burstMissing.store(Int(counts.burstMissing), ordering: .relaxed)
    }

    borrowing func load() -> LossPattern.Counts {
        var counts = LossPattern.Counts()
        counts.heard = Int64(heard.load(ordering: .relaxed))
        counts.missing = Int64(missing.load(ordering: .relaxed))
        counts.discarded = Int64(discarded.load(ordering: .relaxed))
        counts.rows = Int64(rows.load(ordering: .relaxed))
        counts.bursts = Int64(bursts.load(ordering: .relaxed))
        counts.burstPackets = Int64(burstPackets.load(ordering: .relaxed))
        counts.burstMissing = Int64(burstMissing.load(ordering: .relaxed))
        return counts
    }
}
