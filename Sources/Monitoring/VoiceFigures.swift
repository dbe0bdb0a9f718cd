import PhoneCore

/// The quality of voice over all calls; each report of a call counts once.
struct VoiceFigures: Equatable, Sendable {
    var opinionScore = Histogram([1.5, 2, 2.5, 3, 3.5, 4, 4.3])
    var jitter = Histogram([0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1])
    var roundTrip = Histogram([0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1])
    var loss = Histogram([0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25])
    var concealment = Histogram([0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25])
    var bufferLevel = Histogram([0.02, 0.04, 0.06, 0.08, 0.12, 0.2, 0.4])

    mutating func take(_ quality: VoiceQuality) {
        if let score = quality.opinionScore { opinionScore.observe(score) }
        if let milliseconds = quality.jitterMilliseconds { jitter.observe(milliseconds / 1_000) }
        if let milliseconds = quality.roundTripMilliseconds { roundTrip.observe(milliseconds / 1_000) }
        if let percent = quality.lossPercent { loss.observe(percent / 100) }
        if let percent = quality.concealedPercent { concealment.observe(percent / 100) }
        if let milliseconds = quality.bufferMilliseconds { bufferLevel.observe(milliseconds / 1_000) }
    }
}
