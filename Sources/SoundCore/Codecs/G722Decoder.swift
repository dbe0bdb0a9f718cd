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
