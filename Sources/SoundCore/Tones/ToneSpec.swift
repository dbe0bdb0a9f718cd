/// A tone: segments one after the other. After the last one it begins again or ends.
///
/// It is plain bytes, so it can be passed to a real-time thread through a ring. A segment without length never ends.
///
/// In text, segments are separated by blanks, each `frequencies/milliseconds`: `+` adds frequencies, `*` gives the
/// frequency that modulates them, 0 is silence. `"440+480/2000 0/4000"`, `"400*25/400 0/200"`, `"425"`.
public struct ToneSpec: Equatable, Sendable, BitwiseCopyable {
    public static let segmentLimit = 24
    /// A comfortable level for the listener: the power of all frequencies together, in dBm0.
    public static let usualLevel: Float = -12

    private var segments: InlineArray<24, ToneSegment>
    public private(set) var count: Int
    /// True when the tone begins again after the last segment.
    public let repeats: Bool
    /// The power of a sounding segment in dBm0.
    public var level: Float

    /// Fails without segments or with more than `segmentLimit`.
    public init?(segments list: [ToneSegment], repeats: Bool = true, level: Float = usualLevel) {
        guard (1...Self.segmentLimit).contains(list.count), level <= 0 else { return nil }
        segments = InlineArray(repeating: ToneSegment())
        for (index, segment) in list.enumerated() { segments[index] = segment }
        count = list.count
        self.repeats = repeats
        self.level = level
    }

    /// Silence without end.
    init() {
        segments = InlineArray(repeating: ToneSegment())
        count = 1
        repeats = false
        level = Self.usualLevel
    }

    public func segment(_ index: Int) -> ToneSegment {
        precondition((0..<count).contains(index), "no such segment")
        return segments[index]
    }

    /// All segments. For display and tests only, because it allocates.
    public var allSegments: [ToneSegment] { (0..<count).map { segments[$0] } }

    public static func == (left: Self, right: Self) -> Bool {
        left.allSegments == right.allSegments && left.repeats == right.repeats && left.level == right.level
    }
}

/// One part of a tone: up to four frequencies at once, or silence.
public struct ToneSegment: Equatable, Sendable, BitwiseCopyable {
    public static let frequencyLimit = 4
    /// Frequencies are audible and at most half of the narrowest codec's sample rate.
    static let frequencyRange: ClosedRange<UInt16> = 20...4_000

    /// Hz; unused places are 0.
    private let slots: InlineArray<4, UInt16>
    public let frequencyCount: Int
    /// The frequency of the amplitude modulation in Hz, 0 for none.
    public let modulation: UInt16
    /// Length in milliseconds, 0 for no end.
    public let milliseconds: UInt32

    /// Fails with frequencies outside `frequencyRange` or more than four of them.
    public init?(frequencies: [UInt16], modulation: UInt16 = 0, milliseconds: UInt32) {
        guard frequencies.count <= Self.frequencyLimit, frequencies.allSatisfy(Self.frequencyRange.contains),
            modulation < 200
        else { return nil }
        var slots = InlineArray<4, UInt16>(repeating: 0)
        for (index, frequency) in frequencies.enumerated() { slots[index] = frequency }
        self.slots = slots
        frequencyCount = frequencies.count
        self.modulation = modulation
        self.milliseconds = milliseconds
    }

    /// Silence without end.
    init() {
        slots = InlineArray(repeating: 0)
        frequencyCount = 0
        modulation = 0
        milliseconds = 0
    }

    public var isSilent: Bool { frequencyCount == 0 }

    /// Hz.
    public func frequency(_ index: Int) -> UInt16 { slots[index] }

    /// In Hz. For display and tests, because it allocates.
    public var frequencies: [UInt16] { (0..<frequencyCount).map { slots[$0] } }

    public static func == (left: Self, right: Self) -> Bool {
        left.frequencies == right.frequencies && left.modulation == right.modulation
            && left.milliseconds == right.milliseconds
    }
}

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

/// The rhythm of a bell: milliseconds on, off, on, off …, then again from the beginning.
public struct RingToneCadence: Equatable, Sendable {
    /// Even in number, none of them 0.
    public let milliseconds: [Int]

    public init?(milliseconds: [Int]) {
        guard !milliseconds.isEmpty, milliseconds.count % 2 == 0, milliseconds.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        self.milliseconds = milliseconds
    }

    /// The length of one cycle in milliseconds.
    public var period: Int { milliseconds.reduce(0, +) }
}

extension ToneSpec {
    /// A major third, like the two gongs of a bell. Small loudspeakers still play these frequencies well.
    private static let gongs: [UInt16] = [1_000, 1_250]
    /// The strokes of the clapper in a second, which modulate both frequencies.
    private static let strokes: UInt16 = 25
    /// At this level the peaks of both frequencies together are just below full scale.
    private static let ringLevel: Float = 0

    /// The tone that a loudspeaker plays instead of a bell, at full loudness. Of a cadence longer than `segmentLimit`
    /// phases, only the first ones are used.
    public init(ring cadence: RingToneCadence) {
        let phases = cadence.milliseconds.prefix(Self.segmentLimit)
        let segments = phases.enumerated().compactMap { index, length in
            let sounds = index.isMultiple(of: 2)
            return ToneSegment(
                frequencies: sounds ? Self.gongs : [], modulation: sounds ? Self.strokes : 0,
                milliseconds: UInt32(clamping: length))
        }
        guard segments.count == phases.count, let spec = ToneSpec(segments: segments, level: Self.ringLevel) else {
            preconditionFailure("a cadence has phases, and the gongs can be heard")
        }
        self = spec
    }
}
