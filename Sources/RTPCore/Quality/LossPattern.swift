/// Counts packets that were missing when they were due, in playout order: single, in a row, in bursts (RFC 3611
/// §4.7.2).
///
/// A burst begins and ends with a missing packet and contains at least two of them. Nowhere in it were `gapThreshold`
/// packets heard in a row. Everything else is gap. This type counts packet by packet, exactly as the definition says,
/// while appendix A.2 estimates the same from transitions between four states. Cost: O(1), no allocation.
public struct LossPattern: Equatable, Sendable {
    /// Gmin (§4.7.2): this many packets heard in a row end a burst. With 16, the loss in a gap is below 6 %.
    public static let gapThreshold: Int64 = 16

    /// The counts so far. The difference of two values gives the counts of the time between them.
    public struct Counts: Equatable, Sendable {
        public var heard: Int64 = 0
        public var missing: Int64 = 0
        /// Missing packets that arrived but were discarded, because they were late or too many.
        public var discarded: Int64 = 0
        /// The number of unbroken rows of missing packets.
        public var rows: Int64 = 0
        public var bursts: Int64 = 0
        /// Packets in bursts, heard and missing.
        public var burstPackets: Int64 = 0
        public var burstMissing: Int64 = 0

        public init() {}
    }

    private var settled = Counts()
    /// All packets, and the missing ones, from the first missing packet of a possible burst up to the newest missing
    /// one.
    private var spanned: Int64 = 0
    private var spannedMissing: Int64 = 0
    /// Packets heard since the newest missing one, packets missing in its row, and packets heard directly before that
    /// row.
    private var heardSince = gapThreshold
    private var rowMissing: Int64 = 0
    private var heardBefore: Int64 = 0

    public init() {}

    public mutating func hear() {
        settled.heard += 1
        heardSince += 1
    }

    /// Records that `count` packets in a row were missing. Packets that were repaired from the one after them do not
    /// count (§4.7.1).
    @_noLocks
    public mutating func miss(_ count: Int64) {
        guard count > 0 else { return }
        if heardSince >= Self.gapThreshold { settle() } else { spanned += heardSince }
        settled.missing += count
        if heardSince > 0 {
            settled.rows += 1
            (rowMissing, heardBefore) = (0, heardSince)
        }
        rowMissing += count
        spanned += count
        spannedMissing += count
        heardSince = 0
    }

    /// Takes back one missing packet of the newest row: its number belonged to a packet without voice.
    @_noLocks
    public mutating func excuse() {
        guard rowMissing > 0 else { return }
        settled.missing -= 1
        settled.discarded = min(settled.discarded, settled.missing)
        spanned -= 1
        spannedMissing -= 1
        rowMissing -= 1
        guard rowMissing == 0 else { return }
        // The row is empty now, so the packets heard before and after it count as heard in a row.
        settled.rows -= 1
        spanned = spannedMissing > 0 ? spanned - heardBefore : 0
        heardSince += heardBefore
    }

    /// Records that a missing packet has arrived, but too late to be heard.
    @_noLocks
    public mutating func discard() { settled.discarded = min(settled.discarded + 1, settled.missing) }

    /// The counts so far, as if a gap followed (§4.7.2).
    public var counts: Counts {
        var copy = self
        copy.settle()
        return copy.settled
    }

    /// Ends a possible burst. A single missing packet belongs to the gap around it.
    private mutating func settle() {
        if spannedMissing > 1 {
            settled.bursts += 1
            settled.burstPackets += spanned
            settled.burstMissing += spannedMissing
        }
        (spanned, spannedMissing) = (0, 0)
    }
}

extension LossPattern.Counts {
    public var expected: Int64 { heard + missing }
    public var gapPackets: Int64 { expected - burstPackets }

    /// Shares, 0...1; 0 when no packet was expected.
    public var missingShare: Double { Self.share(missing, of: expected) }
    public var lostShare: Double { Self.share(missing - discarded, of: expected) }
    public var discardedShare: Double { Self.share(discarded, of: expected) }
    public var burstDensity: Double { Self.share(burstMissing, of: burstPackets) }
    public var gapDensity: Double { Self.share(missing - burstMissing, of: gapPackets) }

    /// Mean lengths in packets. There is one gap more than there are bursts.
    public var burstLength: Double { bursts > 0 ? Double(burstPackets) / Double(bursts) : 0 }
    public var gapLength: Double { Double(max(0, gapPackets)) / Double(max(0, bursts) + 1) }

    /// BurstR of ITU-T G.107 §3.5: the mean length of rows of missing packets, relative to random loss of the same
    /// rate. At least 1.
    public var burstRatio: Double {
        guard rows > 0 else { return 1 }
        return max(1, Double(missing) / Double(rows) * (1 - missingShare))
    }

    /// The counts since `earlier`, an older value of the same counts.
    public func since(_ earlier: Self) -> Self {
        var difference = Self()
        difference.heard = heard - earlier.heard
        difference.missing = missing - earlier.missing
        difference.discarded = discarded - earlier.discarded
        difference.rows = rows - earlier.rows
        difference.bursts = bursts - earlier.bursts
        difference.burstPackets = burstPackets - earlier.burstPackets
        difference.burstMissing = burstMissing - earlier.burstMissing
        return difference
    }

    /// Limits a share to 0...1, because counts that were read one by one while they changed may not fit together.
    private static func share(_ part: Int64, of whole: Int64) -> Double {
        whole > 0 ? Double(min(max(0, part), whole)) / Double(whole) : 0
    }
}
