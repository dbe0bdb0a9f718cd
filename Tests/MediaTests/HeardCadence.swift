import SoundCore

extension [ToneDetector.Stretch] {
    /// Whether it is the tests' ring: 300 ms of sound, 200 ms of pause, from its second stretch to the last but one.
    ///
    /// A ringer's thread comes before no other: on a busy machine it leaves a hole now and then, and a test listens again.
    var isRing: Bool {
        let whole = dropFirst().dropLast()
        return whole.count >= 4 && whole.allSatisfy { abs($0.milliseconds - ($0.isOn ? 300 : 200)) <= 10 }
    }
}
