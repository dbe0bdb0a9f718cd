extension ToneSpec {
    private static let lowGroup: [UInt16] = [697, 770, 852, 941]
    private static let highGroup: [UInt16] = [1_209, 1_336, 1_477, 1_633]
    private static let keypad: [Character] = Array("123A456B789C*0#D")

    /// The two frequencies of a key, ITU-T Q.23. The user who presses the key hears them, and they can be sent in-band.
    ///
    /// - Parameters:
    ///   - key: `0-9 * # A-D`; the result is nil for anything else.
    ///   - milliseconds: Length, 0 for as long as the key is held.
    ///   - level: Power of both together in dBm0.
    public init?(key: Character, milliseconds: UInt32, level: Float = usualLevel) {
        guard let place = Self.keypad.firstIndex(of: key),
            let segment = ToneSegment(
                frequencies: [Self.lowGroup[place / 4], Self.highGroup[place % 4]], milliseconds: milliseconds)
        else { return nil }
        self.init(segments: [segment], repeats: false, level: level)
    }
}
