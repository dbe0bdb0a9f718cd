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
