import SoundCore

extension [ToneDetector.Stretch] {
    /// Whether it is the tests' ring: 300 ms of sound, 200 ms of pause, from its second part to the last but one.
    ///
    /// A ringer's thread has no priority: on a busy machine it leaves a gap now and then, and a test listens again.
    var isRing: Bool {
        let whole = dropFirst().dropLast()
        return whole.count >= 4 && whole.allSatisfy { abs($0.milliseconds - ($0.isOn ? 300 : 200)) <= 10 }
    }
}
