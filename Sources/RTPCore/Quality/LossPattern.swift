/// Where packets were missing when they were due, in the order of playing: alone, in a row, in bursts (RFC 3611 §4.7.2).
///
/// A burst begins and ends with a missing packet, holds at least two, and nowhere in it were `gapThreshold` packets
/// heard in a row. All else is gap. Counted as it is defined, packet by packet, where
/// appendix A.2 estimates the same from transitions between four states. Cost: O(1), no allocation.
public struct LossPattern: Equatable, Sendable {
    /// Gmin (§4.7.2): so many packets heard in a row end a burst. With 16, a gap loses less than 6 %.
    public static let gapThreshold: Int64 = 16

    /// What was counted so far. Differences of two counts are the counts of the time between.
    public struct Counts: Equatable, Sendable {
        public var heard: Int64 = 0
        public var missing: Int64 = 0
        /// Of the missing: they came, but late or too many.
        public var discarded: Int64 = 0
        /// Unbroken rows of missing packets.
        public var rows: Int64 = 0
        public var bursts: Int64 = 0
        /// Packets in bursts, heard and missing.
        public var burstPackets: Int64 = 0
        public var burstMissing: Int64 = 0

        public init() {}
    }

    private var settled = Counts()
    /// Since the first missing packet of what may become a burst, up to the newest one.
    private var spanned: Int64 = 0
    private var spannedMissing: Int64 = 0
    /// Heard since the newest missing one, how many are missing in its row, and how many were heard before that.
    private var heardSince = gapThreshold
    private var rowMissing: Int64 = 0
    private var heardBefore: Int64 = 0

    public init() {}

    public mutating func hear() {
        settled.heard += 1
        heardSince += 1
    }

    /// So many packets in a row were missing; not those that the one after them repaired (§4.7.1).
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

    /// One of the newest row was not missing: its number was used for something that is not voice.
    @_noLocks
    public mutating func excuse() {
        guard rowMissing > 0 else { return }
        settled.missing -= 1
        settled.discarded = min(settled.discarded, settled.missing)
        spanned -= 1
        spannedMissing -= 1
        rowMissing -= 1
        guard rowMissing == 0 else { return }
        // Nothing is left of the row: it is as if what was heard before and after it had been heard in a row.
        settled.rows -= 1
        spanned = spannedMissing > 0 ? spanned - heardBefore : 0
        heardSince += heardBefore
    }

    /// One that was missing is here, too late to be heard.
    @_noLocks
    public mutating func discard() { settled.discarded = min(settled.discarded + 1, settled.missing) }

    /// The end of what was heard counts as if a gap followed (§4.7.2).
    public var counts: Counts {
        var copy = self
        copy.settle()
        return copy.settled
    }

    /// A missing packet that is alone belongs to the gap around it.
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

    /// Shares, 0...1; nothing expected is nothing missing.
    public var missingShare: Double { Self.share(missing, of: expected) }
    public var lostShare: Double { Self.share(missing - discarded, of: expected) }
    public var discardedShare: Double { Self.share(discarded, of: expected) }
    public var burstDensity: Double { Self.share(burstMissing, of: burstPackets) }
    public var gapDensity: Double { Self.share(missing - burstMissing, of: gapPackets) }

    /// Mean lengths in packets. There is one gap more than there are bursts.
    public var burstLength: Double { bursts > 0 ? Double(burstPackets) / Double(bursts) : 0 }
    public var gapLength: Double { Double(max(0, gapPackets)) / Double(max(0, bursts) + 1) }

    /// How much longer the rows of missing packets are than those of the same loss at random, at least 1: BurstR of
    /// ITU-T G.107 §3.5.
    public var burstRatio: Double {
        guard rows > 0 else { return 1 }
        return max(1, Double(missing) / Double(rows) * (1 - missingShare))
    }

    /// What was counted since `earlier`, which was counted before this.
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

    /// Counts that were read one by one while they changed may not fit together: no share leaves 0...1.
    private static func share(_ part: Int64, of whole: Int64) -> Double {
        whole > 0 ? Double(min(max(0, part), whole)) / Double(whole) : 0
    }
}
