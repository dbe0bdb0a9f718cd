import PhoneCore

/// A report of a real-time thread, as plain bytes. The event forwarder turns it into an event.
enum Report: BitwiseCopyable, Sendable {
    case firstVoice(call: UInt32)
    case dtmfSent(call: UInt32)
    case dtmfReceived(call: UInt32, code: UInt8)
    case silent(call: UInt32)
    case heard(call: UInt32)
    /// No packet could be sent for a second; with the error number of the last one.
    case sendingFailed(call: UInt32, code: Int32)
    case sendingResumed(call: UInt32)
    case quality(call: UInt32, QualityFigures)
    /// Every thread uses these terms now.
    case settled(call: UInt32, negotiated: UInt32)
    /// No thread uses the call any more.
    case dropped(call: UInt32)
    /// A page began or ended in the group with this number.
    case pageStarted(UInt8)
    case pageEnded(UInt8)
    /// The result of the test with this number, in dB below full scale; or that a device was missing.
    case soundTested(UInt32, before: Float, during: Float)
    case soundUntested(UInt32)
}

/// `VoiceQuality` in a form that fits through a ring.
struct QualityFigures: BitwiseCopyable, Sendable {
    var opinionScore: Float?
    var jitterMilliseconds: Float?
    var roundTripMilliseconds: Float?
    var lossPercent: Float?
    var concealedPercent: Float?
    var bufferMilliseconds: Float?
    var farOpinionScore: Float?

    var quality: PhoneCore.VoiceQuality {
        PhoneCore.VoiceQuality(
            opinionScore: opinionScore.map(Double.init), jitterMilliseconds: jitterMilliseconds.map(Double.init),
            roundTripMilliseconds: roundTripMilliseconds.map(Double.init), lossPercent: lossPercent.map(Double.init),
            concealedPercent: concealedPercent.map(Double.init),
            bufferMilliseconds: bufferMilliseconds.map(Double.init),
            farOpinionScore: farOpinionScore.map(Double.init)
        )
    }
}
