import Base
import PhoneCore
import Platform
import Synchronization

/// The queue of changes and questions from the control thread to the vault's thread.
final class VaultInbox: Sendable {
    private struct Contents {
        var queue: BoundedQueue<VaultWork>
        var isClosed = false
    }

    let capacity: Int
    private let contents: Mutex<Contents>
    private let wakeSignal: WakeSignal
    /// Probes whether the vault's thread works. It waits for the disk.
    let probe: ThreadProbe

    init(capacity: Int) {
        self.capacity = capacity
        let signal = WakeSignal.atStart()
        wakeSignal = signal
        probe = ThreadProbe(.vault) { signal.raise() }
        // No entry may replace another, because no later change repeats an earlier one.
        contents = Mutex(Contents(queue: BoundedQueue(capacity: capacity)))
    }

    /// False when full or closed.
    func put(_ work: VaultWork) -> Bool {
        let admitted = contents.withLock { contents in
            !contents.isClosed && contents.queue.push(work) == .queued
        }
        wakeSignal.raise()
        return admitted
    }

    func close() {
        contents.withLock { $0.isClosed = true }
        wakeSignal.raise()
    }

    /// Waits until there is work. Answers the watchdog's probe without returning.
    func wait(atMost limit: Duration?) {
        let end = limit.map { MonotonicClock.now() + $0 }
        repeat {
            wakeSignal.wait(until: end)
            probe.answer()
        } while !hasWork && end.map { MonotonicClock.now() < $0 } ?? true
    }

    private var hasWork: Bool { contents.withLock { $0.isClosed || !$0.queue.isEmpty } }

    /// Takes at most `limit` entries; all of them once closed.
    func take(atMost limit: Int) -> (work: [VaultWork], isClosed: Bool) {
        contents.withLock { contents in
            var work: [VaultWork] = []
            while contents.isClosed || work.count < limit, let next = contents.queue.pop() { work.append(next) }
            return (work, contents.isClosed)
        }
    }
}

/// A change for the vault to keep.
enum VaultChange: Sendable {
    /// A change that the phone wants.
    case effect(VaultEffect)
    /// A line has learned more about its account's server.
    case trust(LineTrust, of: AccountID)
    /// The backend's record of this name. Nil removes it.
    case record(Redacted<[UInt8]>?, as: String, answer: @Sendable (Bool) -> Void)

    /// What the change is about, without a number or a name.
    var summary: String {
        switch self {
        case .effect(let effect): effect.summary
        case .trust: "what is known about an account's server"
        case .record: "the backend's record"
        }
    }

    /// Whether somebody waits for the result and decides what to do next. Such a change is not retried.
    var isAwaited: Bool {
        switch self {
        case .effect(let effect): effect.answer(isKept: false) != nil
        case .trust: false
        case .record: true
        }
    }

    /// Reports the result to the part that waits for it.
    func answer(isKept: Bool, _ post: (VaultEvent) -> Void) {
        switch self {
        case .effect(let effect): if let event = effect.answer(isKept: isKept) { post(event) }
        case .trust: break
        case .record(_, _, let answer): answer(isKept)
        }
    }
}

extension VaultEffect {
    /// What the effect changes, without a number or a name.
    var summary: String {
        switch self {
        case .persist: "the call that is up"
        case .clearPersisted: "the end of the call that was up"
        case .persistRinging: "the call that rings"
        case .clearRinging: "the end of the call that rang"
        case .addHistory: "a call for the history"
        case .clearHistory: "the removal of the history"
        case .missedCallsSeen, .formerMissedCallSeen: "the seen missed calls"
        case .keep: "the phone's settings"
        case .keepKey: "a far end's key"
        case .forgetKey: "the removal of a far end's key"
        case .keepContext, .tryContext: "the organisation"
        case .forgetSignIn: "the end of the sign-in"
        }
    }

    /// The event that the phone waits for after this effect; nil if it waits for none.
    func answer(isKept: Bool) -> VaultEvent? {
        switch self {
        case .keepContext(_, let ticket), .tryContext(_, let ticket): .contextKept(ticket: ticket, isKept)
        case .persist, .clearPersisted, .persistRinging, .clearRinging, .addHistory, .clearHistory,
            .missedCallsSeen, .formerMissedCallSeen, .keep, .keepKey, .forgetKey, .forgetSignIn:
            nil
        }
    }
}

/// Work for the vault's thread.
enum VaultWork: Sendable {
    /// A change, which is retried while the disk rejects it.
    case keep(VaultChange)
    /// A program's question, which is answered once.
    case ask(VaultQuestion, answer: @Sendable (VaultAnswer) -> Void)
    /// A change of an account, which is tried once.
    case accounts(StoredAccountChange, answer: @Sendable (Result<[StoredAccount], VaultError>) -> Void)
}

extension VaultFile {
    /// Contacts in one answer.
    static let contactPage = 100

    private func contacts(after known: Int) throws(VaultError) -> (contacts: [Contact], more: Bool) {
        let rest = try contacts().dropFirst(known)
        return (Array(rest.prefix(Self.contactPage)), rest.count > Self.contactPage)
    }

    mutating func answer(_ question: VaultQuestion) -> VaultAnswer {
        do throws(VaultError) {
            switch question {
            case .history(let question):
                let page = try history(question)
                return .history(page.calls, more: page.more)
            case .contacts(let known):
                let page = try contacts(after: known)
                return .contacts(page.contacts, more: page.more)
            case .contactsToExport(let known):
                let page = try contacts(after: known)
                return .contactsToExport(page.contacts, more: page.more)
            case .addContacts(let entries):
                try enter(entries)
                return .done
            case .changeContact(let number, let entry):
                return try changeContact(number: number, to: entry) ? .done : .notFound
            case .removeContact(let number):
                return try removeContact(number: number) ? .done : .notFound
            case .tokens: return .tokens(try tokens(), added: nil)
            case .addToken(let label, let scope):
                let token = try addToken(label: label, scope)
                return .tokens(try tokens(), added: token)
            case .removeToken(let label):
                return try removeToken(label: label) ? .tokens(try tokens(), added: nil) : .noSuchToken
            }
        } catch {
            return .refused(error.description)
        }
    }
}

extension VaultQuestion {
    /// Whether the answer changes the contacts.
    var editsContacts: Bool {
        switch self {
        case .addContacts, .changeContact, .removeContact: true
        case .history, .contacts, .contactsToExport, .tokens, .addToken, .removeToken: false
        }
    }
}
