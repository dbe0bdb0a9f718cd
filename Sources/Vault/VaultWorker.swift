import Base
import PhoneCore
import Platform

/// The loop of the vault's thread: takes waiting work, writes the changes to the disk as one, answers the questions,
/// and repeats.
///
/// - Note: `@unchecked Sendable` because only `run` uses the file, and `run` is called once.
final class VaultWorker: @unchecked Sendable {
    /// A rejected change is retried after this time, even without a new change.
    static let retryInterval = Duration.seconds(30)

    private var file: VaultFile
    private let inbox: VaultInbox
    private let counters: VaultCounters
    private let post: @Sendable (VaultEvent) -> Void
    private let tellFault: @Sendable (String?) -> Void
    private var isRejected = false

    init(
        _ file: consuming VaultFile, inbox: VaultInbox, counters: VaultCounters,
        post: @escaping @Sendable (VaultEvent) -> Void, fault: @escaping @Sendable (String?) -> Void
    ) {
        self.file = file
        self.inbox = inbox
        self.counters = counters
        self.post = post
        tellFault = fault
    }

    func run() {
        reportInterrupted()
        post(.remembered(file.memory { post(.failed($0.description)) }))
        var unkept: [VaultChange] = []
        var isClosed = false
        while !isClosed {
            inbox.wait(atMost: unkept.isEmpty ? nil : VaultWorker.retryInterval)
            let taken = inbox.take(atMost: inbox.capacity - unkept.count)
            isClosed = taken.isClosed
            let changes = taken.work.compactMap { if case .keep(let change) = $0 { change } else { nil } }
            unkept += changes
            if !unkept.isEmpty { unkept = keep(unkept, isNews: isClosed || !changes.isEmpty) }
            for case .ask(let question, let answer) in taken.work { answer(self.answer(question)) }
            for case .accounts(let change, let answer) in taken.work { answer(file.change(change)) }
        }
    }

    private func answer(_ question: VaultQuestion) -> VaultAnswer {
        let answer = file.answer(question)
        if question.editsContacts, answer == .done {
            do { post(.contacts(try file.contacts())) } catch { post(.failed(error.description)) }
        }
        return answer
    }

    private func reportInterrupted() {
        do {
            if let call = try file.persistedCall() { post(.orphanFound(call)) }
        } catch {
            post(.failed(error.description))
        }
        do {
            for call in try file.ringingCalls() { post(.ringingFound(call)) }
        } catch {
            post(.failed(error.description))
        }
    }

    /// - Parameter isNews: Whether to report a failure; a retry reports none.
    /// - Returns: The changes that the disk rejected now but may accept later.
    private func keep(_ changes: [VaultChange], isNews: Bool) -> [VaultChange] {
        let began = MonotonicClock.now()
        do {
            try file.keep(changes)
            counters.count(MonotonicClock.now() - began, isWritten: true)
            noteDisk(nil)
            answer(changes, areKept: true)
            return []
        } catch {
            counters.count(MonotonicClock.now() - began, isWritten: false)
            // One of the changes is at fault. Each is tried separately, so that the others are kept.
            if error.isOfOneChange, changes.count > 1 { return changes.flatMap { keep([$0], isNews: isNews) } }
            if isNews { post(.failed(error.description)) }
            if !error.isOfOneChange { noteDisk(error.description) }
            answer(changes, areKept: false)
            return error.isOfOneChange ? [] : changes.filter { !$0.isAwaited }
        }
    }

    /// Reports when the disk begins or ceases to reject writes.
    private func noteDisk(_ fault: String?) {
        guard fault != nil || isRejected else { return }
        isRejected = fault != nil
        tellFault(fault)
    }

    private func answer(_ changes: [VaultChange], areKept: Bool) {
        for change in changes { change.answer(isKept: areKept, post) }
    }
}

extension VaultError {
    /// Whether one change is at fault, and not the disk.
    fileprivate var isOfOneChange: Bool {
        switch self {
        case .database, .invalidValue, .limitReached: true
        case .notFound, .alreadyExists, .notAVault, .newerVersion, .truncated, .wrongKey, .tampered, .locked,
            .keyNotFound, .keyLost, .keyUnusable, .keyLocked, .permissionsTooOpen, .diskFull, .tooLarge, .system:
            false
        }
    }
}
