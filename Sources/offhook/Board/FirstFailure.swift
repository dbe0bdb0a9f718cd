import PhoneCore
import Synchronization

/// Keeps why something failed first. From any thread.
final class FirstFailure: Sendable {
    private let first = Mutex<String?>(nil)

    var text: String? { first.withLock { $0 } }

    /// What a panel tells besides that the lines failed is not kept.
    func note(_ event: PanelEvent) {
        guard case .failed(let why) = event else { return }
        note(why)
    }

    func note(_ why: String) {
        first.withLock { $0 = $0 ?? why }
    }
}
