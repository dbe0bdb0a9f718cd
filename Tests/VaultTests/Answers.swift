import PhoneCore
import Synchronization

/// Collects the vault's answers, from any thread.
final class Answers: Sendable {
    private let given = Mutex<[VaultAnswer]>([])
    func add(_ answer: VaultAnswer) { given.withLock { $0.append(answer) } }
    var all: [VaultAnswer] { given.withLock { $0 } }
}
