extension ToneSpec: ExpressibleByStringLiteral {
    /// The tone tables and the tests write tones as literals. A literal that does not parse is a programming error.
    public init(stringLiteral notation: StaticString) {
        guard let spec = ToneSpec(notation: "\(notation)") else {
            preconditionFailure("not a tone: \(notation)")
        }
        self = spec
    }

    /// Reads the notation of `ToneSpec`; nil for anything else. Any input is allowed, because it may come from a
    /// configuration.
    public init?(notation: String, repeats: Bool = true, level: Float = usualLevel) {
        let words = notation.split(separator: " ")
        let segments = words.prefix(Self.segmentLimit + 1).compactMap(Self.segment)
        guard segments.count == words.count else { return nil }
        self.init(segments: segments, repeats: repeats, level: level)
    }

    /// The same tone at another level.
    func at(level: Float) -> ToneSpec {
        var copy = self
        copy.level = level
        return copy
    }

    /// Ten short bursts and then the tone itself. Such a dial tone means that messages wait. (North America's recall
    /// dial tone, which has three bursts, has another meaning.)
    static func stutter(_ dial: ToneSpec) -> ToneSpec {
        let steady = dial.segment(0)
        let short = ToneSegment(frequencies: steady.frequencies, modulation: steady.modulation, milliseconds: 100)
        let silence = ToneSegment(frequencies: [], milliseconds: 100)
        let last = ToneSegment(frequencies: steady.frequencies, modulation: steady.modulation, milliseconds: 0)
        guard let short, let silence, let last,
            let spec = ToneSpec(segments: (0..<10).flatMap { _ in [short, silence] } + [last])
        else { preconditionFailure("a dial tone can be interrupted") }
        return spec
    }

    private static func segment(_ word: Substring) -> ToneSegment? {
        let halves = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var length: UInt32 = 0
        if halves.count == 2 {
            guard let milliseconds = UInt32(halves[1]), (1...600_000).contains(milliseconds) else { return nil }
            length = milliseconds
        }
        if halves[0] == "0" { return ToneSegment(frequencies: [], milliseconds: length) }
        let factors = halves[0].split(separator: "*", omittingEmptySubsequences: false)
        let terms = factors[0].split(separator: "+", omittingEmptySubsequences: false)
        let frequencies = terms.prefix(5).compactMap { UInt16($0) }
        guard frequencies.count == terms.count, factors.count <= 2 else { return nil }
        guard factors.count == 2 else { return ToneSegment(frequencies: frequencies, milliseconds: length) }
        guard let modulation = UInt16(factors[1]), modulation > 0 else { return nil }
        return ToneSegment(frequencies: frequencies, modulation: modulation, milliseconds: length)
    }
}
