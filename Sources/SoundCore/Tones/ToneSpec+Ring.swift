extension ToneSpec {
    /// A major third, like the two gongs of a bell. Small loudspeakers still play these frequencies well.
    private static let gongs: [UInt16] = [1_000, 1_250]
    /// The strokes of the clapper in a second, which modulate both frequencies.
    private static let strokes: UInt16 = 25
    /// At this level the peaks of both frequencies together are just below full scale.
    private static let ringLevel: Float = 0

    /// The tone that a loudspeaker plays instead of a bell, at full loudness. Of a cadence longer than `segmentLimit`
    /// phases, only the first ones are used.
    public init(ring cadence: RingCadence) {
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
