import PhoneCore
import Synchronization

/// The page that plays. The control thread selects it.
extension AudioEngine {
    mutating func hear(_ next: Borrowed<PageMedia>) {
        leavePage()
        next.use { next in
            let payloadType = next.payloadType.load(ordering: .acquiring)
            guard let codec = next.codec(of: payloadType) else { return }
            next.audio.begin(payloadType, codec, next.rxQueue)
            next.isHeard.store(true, ordering: .releasing)
        }
        page = next
    }

    mutating func leavePage() {
        page?.use { $0.isHeard.store(false, ordering: .releasing) }
        page = nil
    }
}
