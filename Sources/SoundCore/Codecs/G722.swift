/// ITU-T G.722 at 64 kbit/s, the sending end: two samples at 16 kHz make one octet.
///
/// Bit-exact with the recommendation's arithmetic. Cost: O(count), no allocation after `init`; for a real-time thread.
public struct G722Encoder: Sendable {
    /// The threshold of a large difference in the higher band, for a scale of 4,096.
    private static let highLevel: Int32 = 564

    private let tables = G722Tables()
    private var low = G722Band(.low)
    private var high = G722Band(.high)
    /// The last even and odd samples, oldest first.
    private var even = InlineArray<12, Int32>(repeating: 0)
    private var odd = InlineArray<12, Int32>(repeating: 0)

    public init() {}

    /// Returns to the initial state.
    public mutating func reset() {
        low.reset()
        high.reset()
        for place in even.indices { (even[place], odd[place]) = (0, 0) }
    }

    /// - Precondition: an even number of samples, and room for half as many octets.
    @_lifetime(octets: copy octets)
    public mutating func encode(_ samples: Span<Int16>, into octets: inout MutableSpan<UInt8>) {
        let count = samples.count / 2
        precondition(samples.count == 2 * count && octets.count >= count, "an octet for each two samples")
        for place in 0..<count {
            let (lower, higher) = split(Int32(samples[2 * place]), Int32(samples[2 * place + 1]))
            octets[place] = UInt8(takeHigh(higher) << 6 | takeLow(lower))
        }
    }

    /// The mirror filter: splits two samples of the full signal into one of each band.
    private mutating func split(_ first: Int32, _ second: Int32) -> (lower: Int32, higher: Int32) {
        for place in 0..<11 {
            even[place] = even[place + 1]
            odd[place] = odd[place + 1]
        }
        (even[11], odd[11]) = (first, second)
        var (sumOfEven, sumOfOdd): (Int32, Int32) = (0, 0)
        for place in 0..<12 {
            sumOfEven += even[place] * tables.mirror[place]
            sumOfOdd += odd[place] * tables.mirror[11 - place]
        }
        return ((sumOfOdd + sumOfEven) >> 14, (sumOfOdd - sumOfEven) >> 14)
    }

    private mutating func takeLow(_ sample: Int32) -> Int {
        let error = G722Band.clipped(sample - low.prediction)
        let magnitude = error < 0 ? ~error : error
        var interval = 0
        while interval < tables.levels.count, magnitude >= (tables.levels[interval] * low.scale) >> 12 {
            interval += 1
        }
        // Codes fall as intervals rise. The codes of the two smallest negative intervals are above those of the
        // positive ones.
        let code = error >= 0 ? 61 - interval : interval < 2 ? 63 - interval : 33 - interval
        let coarse = code >> 2
        low.adapt(
            difference: (low.scale * tables.fourBits[coarse]) >> 15, logStep: tables.lowLogSteps[coarse])
        return code
    }

    private mutating func takeHigh(_ sample: Int32) -> Int {
        let error = G722Band.clipped(sample - high.prediction)
        let magnitude = error < 0 ? ~error : error
        let isLarge = magnitude >= (Self.highLevel * high.scale) >> 12
        let code = (error < 0 ? 0 : 2) + (isLarge ? 0 : 1)
        high.adapt(difference: (high.scale * tables.twoBits[code]) >> 15, logStep: tables.highLogSteps[code])
        return code
    }
}

/// ITU-T G.722 at 64 kbit/s, the receiving end: each octet is two samples at 16 kHz.
///
/// Bit-exact with the recommendation's arithmetic. Any octets are valid, so decoding cannot fail. Delay of encoder and
/// decoder together: 22 samples (1.4 ms). Cost: O(count), no allocation after `init`; for a real-time thread.
public struct G722Decoder: Sendable {
    public static let samplesPerOctet = 2

    private let tables = G722Tables()
    private var low = G722Band(.low)
    private var high = G722Band(.high)
    /// The last sums and differences of the bands, oldest first.
    private var sums = InlineArray<12, Int32>(repeating: 0)
    private var differences = InlineArray<12, Int32>(repeating: 0)

    public init() {}

    /// Returns to the initial state.
    public mutating func reset() {
        low.reset()
        high.reset()
        for place in sums.indices { (sums[place], differences[place]) = (0, 0) }
    }

    /// - Precondition: room for two samples for each octet.
    @_lifetime(samples: copy samples)
    public mutating func decode(_ octets: Span<UInt8>, into samples: inout MutableSpan<Int16>) {
        precondition(samples.count >= Self.samplesPerOctet * octets.count, "two samples for each octet")
        for place in octets.indices {
            let octet = octets[place]
            let lower = takeLow(Int(octet & 0x3F))
            let higher = takeHigh(Int(octet >> 6))
            let (first, second) = join(lower, higher)
            samples[2 * place] = first
            samples[2 * place + 1] = second
        }
    }

    private mutating func takeLow(_ code: Int) -> Int32 {
        let sound = Self.limited(low.prediction + (low.scale * tables.sixBits[code]) >> 15)
        let coarse = code >> 2
        low.adapt(
            difference: (low.scale * tables.fourBits[coarse]) >> 15, logStep: tables.lowLogSteps[coarse])
        return sound
    }

    private mutating func takeHigh(_ code: Int) -> Int32 {
        let difference = (high.scale * tables.twoBits[code]) >> 15
        let sound = Self.limited(high.prediction + difference)
        high.adapt(difference: difference, logStep: tables.highLogSteps[code])
        return sound
    }

    /// The mirror filter: joins one sample of each band to two samples of the full signal.
    private mutating func join(_ lower: Int32, _ higher: Int32) -> (Int16, Int16) {
        for place in 0..<11 {
            sums[place] = sums[place + 1]
            differences[place] = differences[place + 1]
        }
        sums[11] = lower + higher
        differences[11] = lower - higher
        var (first, second): (Int32, Int32) = (0, 0)
        for place in 0..<12 {
            first += differences[place] * tables.mirror[11 - place]
            second += sums[place] * tables.mirror[place]
        }
        return (Int16(G722Band.clipped(first >> 11)), Int16(G722Band.clipped(second >> 11)))
    }

    /// Limits a value to 15 bits, with which the mirror filter cannot overflow.
    private static func limited(_ value: Int32) -> Int32 { min(max(value, -16_384), 16_383) }
}

/// The state of one sub-band of ITU-T G.722: the prediction of the next sample, and the step size of the quantiser.
/// Encoder and decoder keep it identical. Names in brackets are the recommendation's (§6, blocks 3 and 4).
struct G722Band: Sendable {
    /// The parameters that convert a band's logarithmic scale to a linear one.
    struct Kind: Sendable {
        /// The first scale of a codec.
        let firstScale: Int32
        let largestLog: Int32
        /// The number of octaves that a scale is shifted down (8 for the lower band, 10 for the higher one).
        let octaves: Int32

        static let low = Kind(firstScale: 32, largestLog: 18_432, octaves: 8)
        static let high = Kind(firstScale: 8, largestLog: 22_528, octaves: 10)
    }

    /// Powers of two in 32 parts of an octave, times 2,048 [ILB].
    private static let powers: [Int32] = [
        2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834,
        2896, 2960, 3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008,
    ]

    private let kind: Kind
    /// Each value has a copy, because the first use of a static array may take a lock.
    private let powers = Self.powers
    /// The prediction of the next sample [SL, SH].
    private(set) var prediction: Int32 = 0
    /// The step size of the quantiser [DETL, DETH].
    private(set) var scale: Int32
    /// The logarithm of `scale` [NBL, NBH].
    private var logScale: Int32 = 0
    /// The part of the prediction that comes from the zeros [SZ].
    private var fromZeros: Int32 = 0
    /// The last two reconstructed samples [RLT], and the last two values without the poles' part [PLT].
    private var past: (Int32, Int32) = (0, 0)
    private var partial: (Int32, Int32) = (0, 0)
    /// The two poles [AL] and six zeros [BL] of the predictor, and the differences that the zeros weight [DLT].
    private var poles: (Int32, Int32) = (0, 0)
    private var zeros = InlineArray<6, Int32>(repeating: 0)
    private var differences = InlineArray<6, Int32>(repeating: 0)

    init(_ kind: Kind) {
        self.kind = kind
        scale = kind.firstScale
    }

    /// Returns to the initial state. The table stays: replacing it would count its references, which the audio thread
    /// must not do when the far end changes its codec.
    mutating func reset() {
        (prediction, scale, logScale, fromZeros) = (0, kind.firstScale, 0, 0)
        (past, partial, poles) = ((0, 0), (0, 0), (0, 0))
        for place in zeros.indices { (zeros[place], differences[place]) = (0, 0) }
    }

    /// Updates the state after a sample: with its difference from the prediction, and with the change of scale for that
    /// difference.
    mutating func adapt(difference: Int32, logStep: Int32) {
        logScale = min(max((logScale * 127) >> 7 + logStep, 0), kind.largestLog)
        let power = powers[Int(logScale >> 6 & 31)]
        let shift = kind.octaves - logScale >> 11
        scale = (shift < 0 ? power << -shift : power >> shift) << 2
        let reconstructed = Self.clipped(prediction + difference)
        let part = Self.clipped(fromZeros + difference)
        movePoles(part)
        moveZeros(difference)
        partial = (part, partial.0)
        past = (reconstructed, past.0)
        predict()
    }

    /// [UPPOL2, UPPOL1]
    private mutating func movePoles(_ part: Int32) {
        let likeLast = (part < 0) == (partial.0 < 0)
        let likeBefore = (part < 0) == (partial.1 < 0)
        let four = Self.clipped(poles.0 << 2)
        let pull = min(likeLast ? -four : four, 32_767)
        let second = (likeBefore ? 128 : -128) + pull >> 7 + (poles.1 * 32_512) >> 15
        poles.1 = min(max(second, -12_288), 12_288)
        let first = Self.clipped((likeLast ? 192 : -192) + (poles.0 * 32_640) >> 15)
        // Both poles together must keep the filter stable.
        let limit = Self.clipped(15_360 - poles.1)
        poles.0 = min(max(first, -limit), limit)
    }

    /// [UPZERO, DELAYA]
    private mutating func moveZeros(_ difference: Int32) {
        let step: Int32 = difference == 0 ? 0 : 128
        for place in zeros.indices {
            let isAlike = (differences[place] < 0) == (difference < 0)
            zeros[place] = Self.clipped((isAlike ? step : -step) + (zeros[place] * 32_640) >> 15)
        }
        for place in (1..<6).reversed() { differences[place] = differences[place - 1] }
        differences[0] = difference
    }

    /// [FILTEP, FILTEZ, PREDIC]
    private mutating func predict() {
        let fromPoles = Self.clipped(
            (poles.0 * Self.clipped(past.0 * 2)) >> 15 + (poles.1 * Self.clipped(past.1 * 2)) >> 15)
        var sum: Int32 = 0
        for place in zeros.indices { sum += (zeros[place] * Self.clipped(differences[place] * 2)) >> 15 }
        fromZeros = Self.clipped(sum)
        prediction = Self.clipped(fromPoles + fromZeros)
    }

    /// Limits a value to 16 bits.
    @inline(__always)
    static func clipped(_ value: Int32) -> Int32 { min(max(value, -32_768), 32_767) }
}

/// The quantiser tables of ITU-T G.722 (§6.2).
struct G722Tables: Sendable {
    /// The lower limits of the intervals of the lower band, for a scale of 4,096 [Q6].
    let levels: [Int32] = [
        35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219, 1339,
        1458, 1612, 1765, 1980, 2195, 2557, 2919,
    ]
    /// The values of the six bits of the lower band, for a scale of 32,768 [QM6]. The first four codes are never sent.
    let sixBits: [Int32] = [
        -136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232, -9360, -8576,
        -7856, -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688, -1360, -1040,
        -728, 24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456,
        4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728, 432, 136, -432, -136,
    ]
    /// The values of their upper four bits, by which both ends adapt [QM4].
    let fourBits: [Int32] = [
        0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0,
    ]
    /// How the lower band's scale changes with those four bits [WL by RL42].
    let lowLogSteps: [Int32] = [
        -60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60,
    ]
    /// The values of the two bits of the higher band [QM2], and how they change its scale [WH by RH2].
    let twoBits: [Int32] = [-7408, -1616, 7408, 1616]
    let highLogSteps: [Int32] = [798, -214, 798, -214]
    /// Half of the mirror filter that splits and joins the bands; the other half is the same backwards (table 11).
    let mirror: [Int32] = [3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11]
}
