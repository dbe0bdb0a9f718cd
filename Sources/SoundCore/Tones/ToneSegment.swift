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
