import Base
import Glibc
import PhoneCore
import Platform
import Synchronization

/// The adapter that keeps what must outlive the program, on a thread of its own.
///
/// Changes that arrive while the disk is busy are written together as one. A change that the disk refuses is reported
/// and tried again with the next one, every 30 s, and at `close`. Only an organisation's context is not tried again,
/// because the phone waits for its result and decides what to do next.
public final class Vault: Sendable {
    private enum Phase {
        case ready(VaultWorker)
        case running(NamedThread)
        case closed
    }

    public static let queueCapacityDefault = 256

    private let inbox: VaultInbox
    private let counters = VaultCounters()
    private let post: @Sendable (VaultEvent) -> Void
    private let phase: Mutex<Phase>

    /// - Parameter post: Called on the vault's thread, and by `perform` on the caller's when the queue is full.
    public init(
        _ file: consuming VaultFile, queueCapacity: Int = queueCapacityDefault,
        post: @escaping @Sendable (VaultEvent) -> Void
    ) {
        inbox = VaultInbox(capacity: queueCapacity)
        self.post = post
        phase = Mutex(.ready(VaultWorker(file, inbox: inbox, counters: counters, post: post)))
    }

    deinit { close() }

    /// Starts the thread, which first reports a call that a crash left behind, and then what earlier runs have kept.
    /// Effects may be given before the start; they wait.
    public func start() throws(VaultError) {
        let failure: SystemFailure? = phase.withLock { phase in
            guard case .ready(let worker) = phase else { preconditionFailure("a vault is started once") }
            do throws(SystemFailure) {
                phase = .running(try NamedThread(.vault) { worker.run() })
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw .system(operation: "start a thread for", path: "the vault", code: failure.code) }
    }

    /// Whether the vault's thread works.
    public var probe: ThreadProbe { inbox.probe }

    /// What was written since the vault was made. From any thread.
    public var statistics: VaultStatistics { counters.snapshot }

    /// Hands a change over. Never blocks; a change for which there is no room is reported as failed.
    public func perform(_ effect: VaultEffect) { keep(.effect(effect)) }

    /// Hands over what an account's line has learned of its server, as `perform` does with a change of the phone.
    public func keep(_ trust: LineTrust, of account: AccountID) { keep(.trust(trust, of: account)) }

    private func keep(_ change: VaultChange) {
        guard !inbox.put(.keep(change)) else { return }
        post(.failed("the vault's queue is full: \(change.summary) was not kept"))
        if let answer = change.answer(isKept: false) { post(answer) }
    }

    /// Answers a program's question. Never blocks.
    /// - Parameter answer: Called once, on the vault's thread; on the caller's when there is no room.
    public func ask(_ question: VaultQuestion, answer: @escaping @Sendable (VaultAnswer) -> Void) {
        if !inbox.put(.ask(question, answer: answer)) { answer(.refused("the vault is busy; ask again")) }
    }

    /// Keeps a new account. Never blocks.
    /// - Parameter answer: Called once, on the vault's thread; on the caller's when there is no room.
    public func add(_ account: Account, answer: @escaping @Sendable (Result<AccountID, VaultError>) -> Void) {
        guard !inbox.put(.add(account, answer: answer)) else { return }
        answer(.failure(.limitReached(what: "changes that wait", limit: inbox.capacity)))
    }

    /// Puts everything that waits on the disk, stops the thread and releases the vault for other processes.
    /// Waits for the disk, but not beyond the deadline.
    /// - Returns: False where the disk has not taken everything by then.
    @discardableResult
    public func close(by deadline: Instant? = nil) -> Bool {
        let last = phase.withLock { phase in
            defer { phase = .closed }
            return phase
        }
        inbox.close()
        switch last {
        case .ready(let worker): worker.run()
        case .running(let thread):
            if let deadline { return thread.join(by: deadline) }
            thread.join()
        case .closed: break
        }
        return true
    }
}
