import PhoneCore
import Synchronization

/// Keeps the reason of the first failure. From any thread.
final class FirstFailure: Sendable {
    private let first = Mutex<String?>(nil)

    var text: String? { first.withLock { $0 } }

    /// Ignores all events except failed lines.
    func note(_ event: PanelEvent) {
        guard case .failed(let why) = event else { return }
        note(why)
    }

    func note(_ why: String) {
        first.withLock { $0 = $0 ?? why }
    }
}
