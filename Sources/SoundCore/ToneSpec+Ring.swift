extension ToneSpec {
    /// A major third, as the two gongs of a bell are tuned; what small loudspeakers still play well.
    private static let gongs: [UInt16] = [1_000, 1_250]
    /// Strokes of the clapper in a second, which make both swell.
    private static let strokes: UInt16 = 25
    /// The two at their loudest are just below full scale.
    private static let ringLevel: Float = 0

    /// What a loudspeaker plays in a bell's stead, at full loudness. Of a cadence longer than `segmentLimit` phases, the
    /// first of them.
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
