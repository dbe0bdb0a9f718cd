import Base
import PhoneCore

/// The work of the vault's thread: take what waits, put it on the disk as one change, again.
///
/// - Note: `@unchecked Sendable` because the file is touched by `run` only, and `run` is called once.
final class VaultWorker: @unchecked Sendable {
    /// After this time a change that the disk refused is tried again, even if nothing new has come.
    static let retryInterval = Duration.seconds(30)

    private var file: VaultFile
    private let inbox: VaultInbox
    private let post: @Sendable (VaultEvent) -> Void

    init(_ file: consuming VaultFile, inbox: VaultInbox, post: @escaping @Sendable (VaultEvent) -> Void) {
        self.file = file
        self.inbox = inbox
        self.post = post
    }

    func run() {
        reportOrphan()
        var unkept: [VaultEffect] = []
        var isClosed = false
        while !isClosed {
            inbox.wait(atMost: unkept.isEmpty ? nil : VaultWorker.retryInterval)
            let taken = inbox.take(atMost: inbox.capacity - unkept.count)
            isClosed = taken.isClosed
            unkept += taken.effects
            if !unkept.isEmpty { unkept = keep(unkept, isNews: isClosed || !taken.effects.isEmpty) }
        }
    }

    private func reportOrphan() {
        do {
            if let call = try file.persistedCall() { post(.orphanFound(call)) }
        } catch {
            post(.failed(error.description))
        }
    }

    /// - Parameter isNews: Whether a failure tells what has not been told yet.
    /// - Returns: What the disk refused and may take later.
    private func keep(_ effects: [VaultEffect], isNews: Bool) -> [VaultEffect] {
        do {
            try file.apply(effects)
            return []
        } catch .database(let error) {
            guard effects.count > 1 else {
                post(.failed(VaultError.database(error).description))
                return []
            }
            // One of them cannot be kept: find it, so that the others are.
            return effects.flatMap { keep([$0], isNews: isNews) }
        } catch {
            if isNews { post(.failed(error.description)) }
            return effects
        }
    }
}
