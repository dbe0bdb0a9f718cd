import Base
import PhoneCore
import Platform
import Synchronization

/// Forwards the reports of the real-time threads as events, on a thread that may allocate and lock.
struct EventForwarder: Sendable {
    let audio: ThreadQueue<Report>
    let network: ThreadQueue<Report>
    let wake: WakeSignal
    let stop: StopFlag
    let registry: CallRegistry
    let probe: ThreadProbe
    let post: @Sendable (MediaEvent) -> Void
    let notice: @Sendable (MediaNotice) -> Void
    private let srtpDemand = SRTPDemand()

    /// From the control thread, when a call is prepared. Its terms are not known yet, but they may ask for SRTP. Then
    /// libsrtp is ready when the call is answered. A phone without calls needs neither the time nor the memory.
    func prepareSRTP() {
        if srtpDemand.raise() { wake.raise() }
    }

    func run() {
        while !stop.isRaised {
            wake.wait(until: nil)
            probe.answer()
            while let report = audio.receive() { handle(report) }
            while let report = network.receive() { handle(report) }
            if srtpDemand.isRaised { SRTPSession.prepareLibrary() }
        }
    }

    private func handle(_ report: Report) {
        switch report {
        case .firstVoice(let call): tell(call) { .firstVoice($0) }
        case .dtmfSent(let call): tell(call) { .dtmfSent($0) }
        case .dtmfReceived(let call, let code):
            guard let symbol = DTMFSymbol(rawValue: code) else { return }
            tell(call) { .dtmfReceived($0, symbol) }
        case .silent(let call): tell(call) { .silent($0) }
        case .heard(let call): tell(call) { .heard($0) }
        case .sendingFailed(let call, let code):
            if let group = registry.page(call) { post(.pageUnsent(group, SystemError.text(code))) }
            tell(call) { .sendingFailed($0, SystemError.text(code)) }
        case .sendingResumed(let call): tell(call) { .sendingResumed($0) }
        case .quality(let call, let figures): tell(call) { .quality($0, figures.quality) }
        case .settled(let call, let negotiated): registry.settle(call, on: negotiated)
        case .dropped(let call): registry.remove(call)
        case .pageStarted(let number): post(.pageStarted(number))
        case .pageEnded(let number): post(.pageEnded(number))
        case .soundTested(let number, let before, let during):
            post(.soundTested(number, .heard(before: Double(before), during: Double(during))))
        case .soundUntested(let number): post(.soundTested(number, .noDevice))
        }
    }

    private func tell(_ handle: UInt32, _ event: (CallID) -> MediaEvent) {
        guard let call = registry.call(handle) else { return }
        post(event(call))
    }
}

/// Whether a call was prepared, which may need libsrtp.
private final class SRTPDemand: Sendable {
    private let flag = Atomic<Bool>(false)
    var isRaised: Bool { flag.load(ordering: .relaxed) }

    /// - Returns: False if it was raised before.
    func raise() -> Bool { !flag.exchange(true, ordering: .relaxed) }
}

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
