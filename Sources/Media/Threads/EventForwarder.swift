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

    func run() {
        SRTPSession.prepareLibrary()
        while !stop.isRaised {
            wake.wait(until: nil)
            probe.answer()
            while let report = audio.receive() { handle(report) }
            while let report = network.receive() { handle(report) }
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
