import Base
import Glibc
import PhoneCore
import Platform
import Synchronization

/// The adapter that stores what must outlive the program, on its own thread.
///
/// Changes that arrive while the disk is busy are written together as one. The vault reports a change that it cannot
/// write, and retries it with the next change, every 30 s, and at `close`. Only an organisation's context and the
/// backend's records are not retried: the phone and the backend wait for the result and decide what to do next.
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

    /// - Parameters:
    ///   - post: Called on the vault's thread, and by `perform` on the caller's thread when the queue is full.
    ///   - fault: Called on the vault's thread: with the reason when the disk rejects a write, and with nil when that
    ///     is over.
    public init(
        _ file: consuming VaultFile, queueCapacity: Int = queueCapacityDefault,
        post: @escaping @Sendable (VaultEvent) -> Void, fault: @escaping @Sendable (String?) -> Void = { _ in }
    ) {
        inbox = VaultInbox(capacity: queueCapacity)
        self.post = post
        phase = Mutex(.ready(VaultWorker(file, inbox: inbox, counters: counters, post: post, fault: fault)))
    }

    deinit { close() }

    /// Starts the thread, which first reports a call that a crash left behind, and then what earlier runs have stored.
    /// Effects given before the start wait.
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

    /// Probes whether the vault's thread works.
    public var probe: ThreadProbe { inbox.probe }

    /// Counts of the writes since the vault was made. From any thread.
    public var statistics: VaultStatistics { counters.snapshot }

    /// Queues a change. Never blocks; a change that does not fit into the queue is reported as failed.
    public func perform(_ effect: VaultEffect) { keep(.effect(effect)) }

    /// Queues what an account's line has learned about its server, as `perform` does with the phone's changes.
    public func keep(_ trust: LineTrust, of account: AccountID) { keep(.trust(trust, of: account)) }

    private func keep(_ change: VaultChange) {
        guard !inbox.put(.keep(change)) else { return }
        post(.failed("the vault's queue is full: \(change.summary) was not kept"))
        change.answer(isKept: false, post)
    }

    /// Answers a program's question. Never blocks.
    /// - Parameter answer: Called once, on the vault's thread; on the caller's thread when the queue is full.
    public func ask(_ question: VaultQuestion, answer: @escaping @Sendable (VaultAnswer) -> Void) {
        if !inbox.put(.ask(question, answer: answer)) { answer(.refused("the vault is busy; ask again")) }
    }

    /// Changes an account. Never blocks.
    /// - Parameter answer: Gets all accounts after the change. Called once, on the vault's thread; on the caller's
    ///   thread when the queue is full.
    public func change(
        _ change: StoredAccountChange, answer: @escaping @Sendable (Result<[StoredAccount], VaultError>) -> Void
    ) {
        guard !inbox.put(.accounts(change, answer: answer)) else { return }
        answer(.failure(.limitReached(what: "waiting changes", limit: inbox.capacity)))
    }

    /// Keeps one of the backend's records; nil removes it. Never blocks, and is not retried.
    /// - Parameter answer: Called once with whether the record is on the disk, on the vault's thread; on the caller's
    ///   thread when the queue is full.
    public func keep(
        _ record: Redacted<[UInt8]>?, as name: String, answer: @escaping @Sendable (Bool) -> Void
    ) {
        keep(.record(record, as: name, answer: answer))
    }

    /// Writes all waiting changes to the disk, stops the thread and releases the vault for other processes. Waits for
    /// the disk, but not beyond the deadline.
    /// - Returns: False if changes were not on the disk by the deadline.
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

/// Counts of the vault's writes since it was made.
public struct VaultStatistics: Equatable, Sendable {
    /// Writes to the disk; changes written together count as one.
    public var writes = 0
    /// The time for writing, including failed writes.
    public var writing = Duration.zero
    /// Changes that the disk, or the vault itself, rejected.
    public var failures = 0

    public init() {}
}

/// The counters behind `VaultStatistics`, counted by the vault's thread and read by any other.
final class VaultCounters: Sendable {
    private let writes = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    private let nanoseconds = Atomic<Int64>(0)

    func count(_ duration: Duration, isWritten: Bool) {
        if isWritten {
            writes.wrappingAdd(1, ordering: .relaxed)
        } else {
            failures.wrappingAdd(1, ordering: .relaxed)
        }
        nanoseconds.wrappingAdd(duration.nanoseconds, ordering: .relaxed)
    }

    var snapshot: VaultStatistics {
        var copy = VaultStatistics()
        copy.writes = writes.load(ordering: .relaxed)
        copy.failures = failures.load(ordering: .relaxed)
        copy.writing = .nanoseconds(nanoseconds.load(ordering: .relaxed))
        return copy
    }
}
