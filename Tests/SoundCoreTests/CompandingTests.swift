import SoundCore
import Testing

/// Also compared with CPython's `audioop` over all codes and samples. Every code is equal, and every sample in A-law.
/// In μ-law 508 negative samples on a decision value fall to the other side of it, as in the ITU's own software.
@Suite struct CompandingTests {
    struct Segment: Sendable {
        let code: UInt8
        let sample: Int16
    }

    /// The first and last quantised values of the eight positive segments (G.711 tables 2a and 1a), in 16 bits.
    static let mu: [Segment] = [
        .init(code: 0xFF, sample: 0), .init(code: 0xF0, sample: 120), .init(code: 0xEF, sample: 132),
        .init(code: 0xE0, sample: 372), .init(code: 0xDF, sample: 396), .init(code: 0xD0, sample: 876),
        .init(code: 0xCF, sample: 924), .init(code: 0xC0, sample: 1_884), .init(code: 0xBF, sample: 1_980),
        .init(code: 0xB0, sample: 3_900), .init(code: 0xAF, sample: 4_092), .init(code: 0xA0, sample: 7_932),
        .init(code: 0x9F, sample: 8_316), .init(code: 0x90, sample: 15_996), .init(code: 0x8F, sample: 16_764),
        .init(code: 0x80, sample: 32_124),
    ]
    static let a: [Segment] = [
        .init(code: 0xD5, sample: 8), .init(code: 0xDA, sample: 248), .init(code: 0xC5, sample: 264),
        .init(code: 0xCA, sample: 504), .init(code: 0xF5, sample: 528), .init(code: 0xFA, sample: 1_008),
        .init(code: 0xE5, sample: 1_056), .init(code: 0xEA, sample: 2_016), .init(code: 0x95, sample: 2_112),
        .init(code: 0x9A, sample: 4_032), .init(code: 0x85, sample: 4_224), .init(code: 0x8A, sample: 8_064),
        .init(code: 0xB5, sample: 8_448), .init(code: 0xBA, sample: 16_128), .init(code: 0xA5, sample: 16_896),
        .init(code: 0xAA, sample: 32_256),
    ]

    @Test(arguments: [(Companding.mu, mu), (.a, a)])
    func standardValuesMatch(law: Companding, segments: [Segment]) {
        for segment in segments {
            #expect(law.sample(of: segment.code) == segment.sample)
            #expect(law.sample(of: segment.code ^ 0x80) == -segment.sample)
        }
    }

    @Test(arguments: Companding.allCases) func everyCodeRoundTrips(law: Companding) {
        for code in UInt8.min ... .max {
            let isNegativeZero = law == .mu && code == 0x7F
            #expect(law.code(of: law.sample(of: code)) == (isNegativeZero ? 0xFF : code))
        }
    }

    /// Louder samples never have quieter codes, and the error is at most half a step: a 32nd of the segment's
    /// beginning.
    @Test(arguments: Companding.allCases) func lossIsHalfStep(law: Companding) {
        let (bias, least, largest) = law == .mu ? (132, 4, 32_124) : (0, 8, 32_256)
        var last = Int(Int16.min)
        for sample in Int16.min ... .max {
            let heard = Int(law.sample(of: law.code(of: sample)))
            let magnitude = min(abs(Int(sample)), largest)
            let lost = min(abs(heard - Int(sample)), abs(abs(heard) - magnitude))
            #expect(heard >= last && lost <= max(least, (magnitude + bias) / 32 + 1), "\(sample) is \(heard)")
            last = heard
        }
    }

    @Test func runsAreCodedSampleBySample() {
        let said: [Int16] = [0, -1, 1, 1_000, -1_000, .max, .min]
        for law in Companding.allCases {
            var codes = [UInt8](repeating: 0, count: said.count)
            var heard = [Int16](repeating: 0, count: said.count)
            var codeSpan = codes.mutableSpan
            law.encode(said.span, into: &codeSpan)
            var heardSpan = heard.mutableSpan
            law.decode(codes.span, into: &heardSpan)
            #expect(codes == said.map(law.code) && heard == codes.map(law.sample))
        }
    }
}
