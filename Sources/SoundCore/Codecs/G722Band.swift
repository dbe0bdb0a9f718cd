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
