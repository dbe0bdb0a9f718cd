extension JitterBuffer {
    public struct Configuration: Equatable, Sendable {
        /// RTP ticks a second.
        public var clockRate: Int
        /// Delay is never aimed below this.
        public var minimumDelay: Duration = .milliseconds(5)
        public var maximumDelay: Duration = .milliseconds(500)
        /// Packets held at most; a power of two.
        public var capacity = 128
        /// Bytes of payload a packet may have; larger ones are refused.
        public var payloadLimit = 1_500
        /// The payload of the next packet can repair a lost one (Opus in-band FEC).
        public var usesForwardCorrection = false

        public init(clockRate: Int) { self.clockRate = clockRate }
    }

    /// What became of a packet.
    public enum Insertion: Equatable, Sendable {
        case stored
        /// Its time has passed.
        case late
        case duplicate
        /// From another source, or far from where the stream is; a second one in order restarts the buffer.
        case stranger
        /// A new stream begins with this packet; what waited was dropped.
        case restarted
        /// Too large, or of a length (0, above 120 ms) that no frame has.
        case refused
    }

    /// A payload that was copied into the caller's buffer.
    public struct Frame: Equatable, Sendable {
        public let payloadType: UInt8
        /// How long the sound lasts, in RTP ticks.
        public let ticks: Int
        /// Bytes of payload. 0 is possible.
        public let count: Int
        /// By how many ticks the sound should last longer or, negative, shorter, as far as that goes unheard. What
        /// was done of it is told by `stretched(by:at:)`.
        public var stretch = 0
    }

    /// What the next stretch of sound is made of. Lengths are in RTP ticks.
    public enum Decision: Equatable, Sendable {
        /// Decode the payload.
        case decode(Frame)
        /// A packet is missing; decode the redundancy for it in this payload, which is that of the packet after
        /// it and comes again next time.
        case recover(Frame)
        /// A packet is missing: invent sound of this length.
        case conceal(ticks: Int)
        /// The sender is silent (no packets, DTX), or nothing has come yet.
        case silence(ticks: Int)
    }

    /// Counts since the start. They survive restarts of the stream.
    public struct Counters: Equatable, Sendable {
        /// Packets accepted, late ones and those that began a stream included; duplicates and strangers not.
        public internal(set) var received = 0
        /// Packets that were missing when they were due and never came.
        public internal(set) var lost = 0
        public internal(set) var late = 0
        public internal(set) var duplicates = 0
        public internal(set) var strangers = 0
        public internal(set) var refused = 0
        public internal(set) var restarts = 0
        public internal(set) var recovered = 0
        /// Ticks that were invented for want of packets. A sender's silence is none.
        public internal(set) var concealedTicks: Int64 = 0
        /// Ticks given out in all, silence excepted.
        public internal(set) var playedTicks: Int64 = 0
        /// Ticks that stretching has added and taken away.
        public internal(set) var lengthenedTicks: Int64 = 0
        public internal(set) var shortenedTicks: Int64 = 0
        /// Packets thrown away unheard: a backlog at the beginning, or beyond the longest delay.
        public internal(set) var skips = 0
    }

    public struct Statistics: Equatable, Sendable {
        public let counters: Counters
        /// Where packets were missing when they were due.
        public let pattern: LossPattern.Counts
        /// How much later than the fastest packet would allow sound is played now.
        public let delayMilliseconds: Double
        public let targetMilliseconds: Double
        /// How much faster than our sound device the far end's clock runs, as far as it is known.
        public let driftPartsPerMillion: Double

        /// Share of the sound that was invented, 0...1; nil before any was played.
        public var concealedShare: Double? {
            counters.playedTicks > 0 ? Double(counters.concealedTicks) / Double(counters.playedTicks) : nil
        }
    }

    /// Where the stream stands.
    struct Stream: Sendable {
        let source: UInt32
        /// The next sequence and timestamp to play, extended.
        var nextSequence: Int64
        var nextTimestamp: Int64
        var highestSequence: Int64
        var highestTimestamp: Int64
        /// Length of the last packet stored.
        var packetTicks: Int64
        var hasPlayed = false
        /// Since the last packet with voice there was one without.
        var hasPaused = false
        /// The last 64 sequences before `nextSequence`: bit 0 is the newest, set if it was played.
        var played: UInt64 = 0
    }

    /// A packet that does not belong here, remembered to see whether its like follows.
    struct Stranger: Sendable {
        let source: UInt32
        let nextSequence: UInt16
    }
}
