extension JitterBuffer {
    public struct Configuration: Equatable, Sendable {
        /// The default bounds of the delay.
        public static let usualDelays: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(500)

        /// RTP ticks a second.
        public var clockRate: Int
        /// The target delay is never below this.
        public var minimumDelay: Duration = usualDelays.lowerBound
        public var maximumDelay: Duration = usualDelays.upperBound
        /// Packets held at most; a power of two.
        public var capacity = 128
        /// Limit of payload bytes in a packet; larger packets are rejected.
        public var payloadLimit = 1_500
        /// The next packet's payload can repair a lost one (Opus in-band FEC).
        public var usesForwardCorrection = false

        public init(clockRate: Int) { self.clockRate = clockRate }
    }

    /// How a sound device asks for quanta: some take several at one moment.
    public struct DeviceBurst: Equatable, BitwiseCopyable, Sendable {
        /// Ticks that the device took at this moment before the requested quantum. They play before it.
        public var before: Int
        /// Ticks that the device usually takes at one moment; 0: a quantum.
        public var atOnce: Int

        public init(before: Int = 0, atOnce: Int = 0) { (self.before, self.atOnce) = (before, atOnce) }
    }

    /// The result of inserting a packet.
    public enum Insertion: Equatable, Sendable {
        case stored
        /// The packet arrived after its playout time.
        case late
        case duplicate
        /// The packet is from another source, or far from the position of the stream. A second such packet in order
        /// restarts the buffer.
        case stranger
        /// A new stream begins with this packet; waiting packets were dropped.
        case restarted
        /// The packet is too large, or has a length (0, above 200 ms) that no frame has.
        case refused
    }

    /// A packet to decode. The buffer lends its payload (`payload(of:)`) until the next packet is inserted.
    public struct Frame: Equatable, Sendable {
        let sequence: Int64
        public let payloadType: UInt8
        /// How long the sound lasts, in RTP ticks.
        public let ticks: Int
        /// Bytes of payload. 0 is possible.
        public let count: Int
        /// How many ticks longer or, when negative, shorter the sound should last, as far as that is inaudible. The
        /// caller reports the actual change with `stretched(by:at:)`.
        public var stretch = 0

        init(of packet: PacketSlots.Slot, ticks: Int64) {
            sequence = packet.sequence
            payloadType = packet.payloadType
            self.ticks = Int(ticks)
            count = packet.count
        }
    }

    /// What the next piece of sound is made of. Lengths are in RTP ticks.
    public enum Decision: Equatable, Sendable {
        /// Decode the payload.
        case decode(Frame)
        /// A packet is missing. Decode its redundant copy from this payload, which belongs to the packet after it. That
        /// packet is returned again later, for its own sound.
        case recover(Frame)
        /// A packet is missing: invent sound of this length.
        case conceal(ticks: Int)
        /// The sender is silent (no packets, DTX), or nothing has come yet.
        case silence(ticks: Int)
    }

    /// Counts since the start. They survive restarts of the stream.
    public struct Counters: Equatable, Sendable {
        /// Accepted packets. Late packets and those that began a stream are included, duplicates and strangers are not.
        public internal(set) var received = 0
        /// Packets that were missing when they were due and never arrived.
        public internal(set) var lost = 0
        public internal(set) var late = 0
        public internal(set) var duplicates = 0
        public internal(set) var strangers = 0
        public internal(set) var refused = 0
        public internal(set) var restarts = 0
        public internal(set) var recovered = 0
        /// Ticks of sound invented because packets were missing. A sender's silence does not count.
        public internal(set) var concealedTicks: Int64 = 0
        /// All ticks of sound that were returned, except silence.
        public internal(set) var playedTicks: Int64 = 0
        /// Ticks that stretching has added and removed.
        public internal(set) var lengthenedTicks: Int64 = 0
        public internal(set) var shortenedTicks: Int64 = 0
        /// Packets discarded unheard: a backlog at the beginning, or packets beyond the longest delay.
        public internal(set) var skips = 0
    }

    public struct Statistics: Equatable, Sendable {
        public let counters: Counters
        /// Where packets were missing when they were due.
        public let pattern: LossPattern.Counts
        /// The current playout delay: how much later sound is played than the fastest packet would allow.
        public let delayMilliseconds: Double
        public let targetMilliseconds: Double
        /// How much faster the far end's clock runs than our sound device's, as far as known.
        public let driftPartsPerMillion: Double

        /// Share of the sound that was invented, 0...1; nil before any was played.
        public var concealedShare: Double? {
            counters.playedTicks > 0 ? Double(counters.concealedTicks) / Double(counters.playedTicks) : nil
        }
    }

    /// The position of the stream.
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
        /// True when a packet without voice has come since the last packet with voice.
        var hasPaused = false
        /// The last 64 sequences before `nextSequence`: bit 0 is the newest, set if it was played, discarded or came
        /// late.
        var played: UInt64 = 0
    }

    /// A packet that does not belong to the stream, remembered to see whether the next one in order follows.
    struct Stranger: Sendable {
        let source: UInt32
        let nextSequence: UInt16
    }
}
