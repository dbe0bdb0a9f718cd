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
