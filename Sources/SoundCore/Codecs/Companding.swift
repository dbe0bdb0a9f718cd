/// The two laws of ITU-T G.711: a sample as eight bits, in segments whose steps double.
///
/// The values are computed without tables and are exactly those of the recommendation. The 14 bits (μ) or 13 bits (A)
/// of G.711 are the upper bits of the 16 bits here. Decoding and encoding a code gives the same code again. The only
/// exception is the negative zero of μ-law (0x7F), whose sample 0 has the code of the positive zero.
/// Cost: O(count), no allocation; for a real-time thread.
public enum Companding: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// PCMU: North America and Japan.
    case mu
    /// PCMA: elsewhere.
    case a

    /// The value that μ-law adds to a magnitude, so that segments begin at powers of two.
    private static let bias: Int32 = 33
    private static let largestBiased: Int32 = 0x1FFF
    /// A-law inverts every other bit, so that silence is not all zeros on a line (G.711 table 1, note 2).
    private static let evenBits: UInt8 = 0x55

    public func sample(of code: UInt8) -> Int16 {
        switch self {
        case .mu:
            let bits = ~code
            let (segment, step) = Self.parts(bits)
            let magnitude = ((2 * step + Self.bias) << segment - Self.bias) << 2
            return Int16(bits & 0x80 == 0 ? magnitude : -magnitude)
        case .a:
            let bits = code ^ Self.evenBits
            let (segment, step) = Self.parts(bits)
            let magnitude = segment == 0 ? step << 4 + 8 : (step << 4 + 0x108) << (segment - 1)
            return Int16(bits & 0x80 == 0 ? -magnitude : magnitude)
        }
    }

    public func code(of sample: Int16) -> UInt8 {
        // The bits of a negative sample are inverted, so that both signs have the same intervals.
        let isNegative = sample < 0
        let magnitude = Int32(isNegative ? ~sample : sample)
        switch self {
        case .mu:
            let biased = min(magnitude >> 2 + Self.bias, Self.largestBiased)
            let segment = Self.highestBit(biased) - 5
            let step = biased >> (segment + 1) & 0x0F
            return ~(UInt8(segment << 4 | step) | (isNegative ? 0x80 : 0))
        case .a:
            let short = magnitude >> 4
            let shift = max(0, Self.highestBit(short) - 4)
            let bits = short < 16 ? short : (shift + 1) << 4 | (short >> shift & 0x0F)
            return (UInt8(bits) | (isNegative ? 0 : 0x80)) ^ Self.evenBits
        }
    }

    /// - Precondition: room for as many samples as there are codes.
    @_lifetime(samples: copy samples)
    public func decode(_ codes: Span<UInt8>, into samples: inout MutableSpan<Int16>) {
        precondition(samples.count >= codes.count, "a sample for each code")
        for place in codes.indices { samples[place] = sample(of: codes[place]) }
    }

    /// - Precondition: room for as many codes as there are samples.
    @_lifetime(codes: copy codes)
    public func encode(_ samples: Span<Int16>, into codes: inout MutableSpan<UInt8>) {
        precondition(codes.count >= samples.count, "a code for each sample")
        for place in samples.indices { codes[place] = code(of: samples[place]) }
    }

    private static func parts(_ bits: UInt8) -> (segment: Int32, step: Int32) {
        (Int32(bits >> 4 & 7), Int32(bits & 0x0F))
    }

    /// The place of the highest bit that is set; -1 for 0.
    private static func highestBit(_ value: Int32) -> Int32 { 31 - Int32(value.leadingZeroBitCount) }
}
