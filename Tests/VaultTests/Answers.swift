import PhoneCore
import Synchronization

/// Collects what the vault answers, from whichever thread.
final class Answers: Sendable {
    private let given = Mutex<[VaultAnswer]>([])
    func add(_ answer: VaultAnswer) { given.withLock { $0.append(answer) } }
    var all: [VaultAnswer] { given.withLock { $0 } }
}
