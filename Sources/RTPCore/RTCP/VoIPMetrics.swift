import Base

/// A receiver's metrics of the voice from one source, RFC 3611 §4.7. An optional value that it did not measure is nil.
public struct VoIPMetrics: Equatable, Sendable {
    public static let size = 36

    /// How missing packets are concealed (§4.7.6).
    public enum Concealment: UInt8, Equatable, Sendable { case unspecified, disabled, enhanced, standard }

    /// Whether the jitter buffer adapts to the network (§4.7.6).
    public enum Adaptation: UInt8, Equatable, Sendable { case unknown, reserved, fixed, adaptive }

    public let source: UInt32
    /// Packets lost, and packets discarded because they arrived at the wrong time, in 1/256 of those expected since the
    /// start.
    public var lossRate: UInt8 = 0
    public var discardRate: UInt8 = 0
    /// Packets missing in bursts and in the gaps between them, in 1/256 of those expected there.
    public var burstDensity: UInt8 = 0
    public var gapDensity: UInt8 = 0
    /// Mean lengths in milliseconds.
    public var burstDuration: UInt16 = 0
    public var gapDuration: UInt16 = 0
    /// In milliseconds; 0 when it is not known.
    public var roundTrip: UInt16 = 0
    /// The delay that the reporter's end system adds, from the microphone to the network and from the network to the
    /// earpiece, in ms.
    public var endSystemDelay: UInt16 = 0
    /// In dB relative to 0 dBm0.
    public var signalLevel: Int8?
    public var noiseLevel: Int8?
    public var residualEchoReturnLoss: UInt8?
    /// Gmin: this many packets received in a row end a burst.
    public var gapThreshold = UInt8(LossPattern.gapThreshold)
    /// The rating R of G.107, 0...100, of this segment and of an external segment beyond it.
    public var rating: UInt8?
    public var externalRating: UInt8?
    /// Mean opinion scores in tenths, 10...50: of listening alone, and of a conversation with its delay.
    public var listeningScore: UInt8?
    public var conversationalScore: UInt8?
    public var concealment = Concealment.unspecified
    public var adaptation = Adaptation.unknown
    /// How quickly the buffer adapts, 0...15: the adjustment takes twice this number of frames.
    public var adjustment: UInt8 = 0
    /// The buffer's current delay, the longest delay at which a packet is not discarded, and the highest value that
    /// this limit may ever have, in milliseconds.
    public var nominalBuffer: UInt16 = 0
    public var maximumBuffer: UInt16 = 0
    public var absoluteMaximumBuffer: UInt16 = 0

    public init(source: UInt32) { self.source = source }

    /// The octet value for "not measured", in fields that allow it.
    private static let unavailable: UInt8 = 127

    /// Reads the 36 bytes at `offset`, including the block header; the caller has checked that they are there. Scores
    /// and ratings out of range are read as not measured.
    init(in bytes: Span<UInt8>, at offset: Int) {
        func octet(_ place: Int, within range: ClosedRange<UInt8>) -> UInt8? {
            let value = bytes[offset + place]
            return range.contains(value) ? value : nil
        }
        func level(_ place: Int) -> Int8? {
            let value = bytes[offset + place]
            return value == Self.unavailable ? nil : Int8(bitPattern: value)
        }
        source = bytes.bigEndian(at: offset + 4)
        lossRate = bytes[offset + 8]
        discardRate = bytes[offset + 9]
        burstDensity = bytes[offset + 10]
        gapDensity = bytes[offset + 11]
        burstDuration = bytes.bigEndian(at: offset + 12)
        gapDuration = bytes.bigEndian(at: offset + 14)
        roundTrip = bytes.bigEndian(at: offset + 16)
        endSystemDelay = bytes.bigEndian(at: offset + 18)
        signalLevel = level(20)
        noiseLevel = level(21)
        residualEchoReturnLoss = bytes[offset + 22] == Self.unavailable ? nil : bytes[offset + 22]
        gapThreshold = bytes[offset + 23]
        rating = octet(24, within: 0...100)
        externalRating = octet(25, within: 0...100)
        listeningScore = octet(26, within: 10...50)
        conversationalScore = octet(27, within: 10...50)
        let configuration = bytes[offset + 28]
        concealment = Concealment(rawValue: configuration >> 6) ?? .unspecified
        adaptation = Adaptation(rawValue: configuration >> 4 & 3) ?? .unknown
        adjustment = configuration & 0x0F
        nominalBuffer = bytes.bigEndian(at: offset + 30)
        maximumBuffer = bytes.bigEndian(at: offset + 32)
        absoluteMaximumBuffer = bytes.bigEndian(at: offset + 34)
    }

    func write(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        bytes[offset] = ExtendedBlock.Kind.voice
        bytes[offset + 1] = 0
        bytes.store(bigEndian: UInt16(Self.size / 4 - 1), at: offset + 2)
        bytes.store(bigEndian: source, at: offset + 4)
        bytes[offset + 8] = lossRate
        bytes[offset + 9] = discardRate
        bytes[offset + 10] = burstDensity
        bytes[offset + 11] = gapDensity
        bytes.store(bigEndian: burstDuration, at: offset + 12)
        bytes.store(bigEndian: gapDuration, at: offset + 14)
        bytes.store(bigEndian: roundTrip, at: offset + 16)
        bytes.store(bigEndian: endSystemDelay, at: offset + 18)
        bytes[offset + 20] = signalLevel.map { UInt8(bitPattern: $0) } ?? Self.unavailable
        bytes[offset + 21] = noiseLevel.map { UInt8(bitPattern: $0) } ?? Self.unavailable
        bytes[offset + 22] = residualEchoReturnLoss ?? Self.unavailable
        bytes[offset + 23] = gapThreshold
        bytes[offset + 24] = rating ?? Self.unavailable
        bytes[offset + 25] = externalRating ?? Self.unavailable
        bytes[offset + 26] = listeningScore ?? Self.unavailable
        bytes[offset + 27] = conversationalScore ?? Self.unavailable
        bytes[offset + 28] = concealment.rawValue << 6 | adaptation.rawValue << 4 | adjustment & 0x0F
        bytes[offset + 29] = 0
        bytes.store(bigEndian: nominalBuffer, at: offset + 30)
        bytes.store(bigEndian: maximumBuffer, at: offset + 32)
        bytes.store(bigEndian: absoluteMaximumBuffer, at: offset + 34)
    }
}

extension VoIPMetrics {
    /// The metrics of a receiver that has measured all these values. R and the scores come from the E-model and cover
    /// the time since the start.
    ///
    /// - Parameters:
    ///   - packet: The duration of a packet of the source.
    ///   - longestBuffer: The longest delay of the jitter buffer; above it, packets are discarded.
    public init(
        source: UInt32, _ counts: LossPattern.Counts, packet: Duration, codec: EModel.Codec, delay: MouthToEarDelay,
        longestBuffer: Duration
    ) {
        self.init(source: source)
        lossRate = Self.fraction(counts.lostShare)
        discardRate = Self.fraction(counts.discardedShare)
        burstDensity = Self.fraction(counts.burstDensity)
        gapDensity = Self.fraction(counts.gapDensity)
        burstDuration = Self.milliseconds(packet.milliseconds * counts.burstLength)
        gapDuration = Self.milliseconds(packet.milliseconds * counts.gapLength)
        roundTrip = Self.milliseconds(delay.roundTrip?.milliseconds ?? 0)
        endSystemDelay = Self.milliseconds(delay.endSystem.milliseconds)
        concealment = .standard
        adaptation = .adaptive
        nominalBuffer = Self.milliseconds(delay.buffer.milliseconds)
        maximumBuffer = Self.milliseconds(longestBuffer.milliseconds)
        absoluteMaximumBuffer = maximumBuffer
        guard counts.expected > 0 else { return }
        let model = EModel(
            codec: codec, lossPercent: counts.missingShare * 100, burstRatio: counts.burstRatio,
            delay: delay.mouthToEar)
        rating = model.map { UInt8($0.conversational.rounded()) }
        listeningScore = model.map { UInt8(($0.listeningScore * 10).rounded()) }
        conversationalScore = model.map { UInt8(($0.conversationalScore * 10).rounded()) }
    }

    /// A share in 1/256. The whole is 255, the largest value of the octet.
    private static func fraction(_ share: Double) -> UInt8 { UInt8(min(255, share * 256)) }

    private static func milliseconds(_ value: Double) -> UInt16 {
        UInt16(min(max(0, value.rounded()), Double(UInt16.max)))
    }
}
