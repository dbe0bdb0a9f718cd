import Base
import Logging
import NIOCore
import PhoneCore
import Synchronization
import Vault

/// Adds, changes and removes accounts while the phone runs. Used on the control loop only, except where a property says
/// otherwise.
///
/// A change is checked against the configuration, stored in the vault, and then put into effect. Changes happen one
/// after another.
final class AccountChanges: Sendable {
    enum Refusal: Error, Equatable {
        case busy
        case inCall
        case unknown
        /// The configuration names the account, or needs something that it lacks.
        case inUse(String)
        case isOfSignIn
        case notKept(String)
    }

    /// Called on the control loop, once, with the accounts in effect.
    typealias Done = @Sendable (Result<[StoredAccount], Refusal>) -> Void

    struct Parts: Sendable {
        let loop: any EventLoop
        let vault: Vault
        let reloader: Reloader
        let log: Logger
        /// The accounts that have a call.
        let accountsInCall: @Sendable () -> Set<AccountID>
        /// Tells programs the labels of all accounts.
        let publish: @Sendable ([String]) -> Void
    }

    private struct Confined {
        var isUnderWay = false
        /// The changes of sign-ins that wait for the one under way.
        var waiting: [@Sendable () -> Void] = []
    }

    private let parts: Parts
    private let confined: NIOLoopBoundBox<Confined>
    private let ofSignIn: Mutex<AccountID?>

    init(_ parts: Parts, accountOfSignIn: AccountID?) {
        self.parts = parts
        ofSignIn = Mutex(accountOfSignIn)
        confined = .makeBoxSendingValue(Confined(), eventLoop: parts.loop)
    }

    /// The accounts in effect. From any thread.
    var accounts: [StoredAccount] { parts.reloader.accounts }
    /// The account of the sign-in. From any thread.
    var accountOfSignIn: AccountID? { ofSignIn.withLock { $0 } }

    func add(_ account: Account, _ done: @escaping Done) {
        let fresh = StoredAccount.fresh(account, beside: accounts)
        begin(.add(account), giving: accounts + [fresh], done)
    }

    func change(_ id: AccountID, to account: Account, _ done: @escaping Done) {
        replace(id, .change(id, to: account), done) { stored in
            StoredAccount(id: id, created: stored.created, device: stored.device, account: account)
        }
    }

    func remove(_ id: AccountID, _ done: @escaping Done) { replace(id, .remove(id), done) { _ in nil } }

    /// Keeps the account that a sign-in brings. It waits for a change that is under way.
    func keepForSignIn(_ account: Account, _ done: @escaping @Sendable (Result<AccountID, Refusal>) -> Void) {
        guard !confined.value.isUnderWay else {
            return confined.value.waiting.append { [weak self] in self?.keepForSignIn(account, done) }
        }
        let others = accounts.filter { $0.id != accountOfSignIn }
        begin(.keepForSignIn(account), giving: others + [.fresh(account, beside: accounts)]) { [self] result in
            done(
                result.flatMap { accounts in
                    let id = accounts.first { $0.account.label == account.label }?.id
                    ofSignIn.withLock { $0 = id }
                    return id.map { .success($0) } ?? .failure(.unknown)
                })
        }
    }

    /// The vault forgets the sign-in and its account.
    func signInForgotten() {
        guard let id = ofSignIn.withLock({ $0.take() }) else { return }
        use(accounts.filter { $0.id != id })
    }

    private func replace(
        _ id: AccountID, _ change: StoredAccountChange, _ done: @escaping Done,
        with next: (StoredAccount) -> StoredAccount?
    ) {
        guard accounts.contains(where: { $0.id == id }) else { return done(.failure(.unknown)) }
        guard id != accountOfSignIn else { return done(.failure(.isOfSignIn)) }
        guard !parts.accountsInCall().contains(id) else { return done(.failure(.inCall)) }
        begin(change, giving: accounts.compactMap { $0.id == id ? next($0) : $0 }, done)
    }

    /// - Parameter wanted: The accounts after the change, as far as they are known before it.
    private func begin(_ change: StoredAccountChange, giving wanted: [StoredAccount], _ done: @escaping Done) {
        guard !confined.value.isUnderWay else { return done(.failure(.busy)) }
        do {
            try parts.reloader.check(wanted)
        } catch {
            return done(.failure(.inUse("the configuration does not allow it: \(error)")))
        }
        confined.value.isUnderWay = true
        let former = accounts
        parts.vault.change(change) { [self] result in
            parts.loop.execute {
                self.confined.value.isUnderWay = false
                if case .success = result { self.parts.log.notice("\(change.words(among: former))") }
                let kept = result.mapError { Refusal.notKept("the vault did not keep the change: \($0)") }
                done(kept.flatMap { self.took($0, change) })
                if !self.confined.value.waiting.isEmpty { self.confined.value.waiting.removeFirst()() }
            }
        }
    }

    private func took(_ stored: [StoredAccount], _ change: StoredAccountChange) -> Result<[StoredAccount], Refusal> {
        // A sign-out may have removed its account since then.
        let known = Set(accounts.map(\.id))
        let stored = stored.filter { known.contains($0.id) || change.adds($0) }
        guard use(stored) else {
            return .failure(.notKept("the vault has the change, but only a restart puts it into effect"))
        }
        return .success(stored)
    }

    @discardableResult
    private func use(_ accounts: [StoredAccount]) -> Bool {
        do {
            try parts.reloader.use(accounts)
            parts.publish(accounts.map(\.account.label))
            return true
        } catch {
            parts.log.error("the changed accounts are not in effect before a restart: \(error)")
            return false
        }
    }
}

extension AccountChanges.Refusal: CustomStringConvertible {
    var description: String {
        switch self {
        case .busy: "another change of the accounts is under way"
        case .inCall: "the account has a call; end it first"
        case .unknown: "there is no such account"
        case .inUse(let why): why
        case .isOfSignIn: "the account belongs to the sign-in; sign out to remove it"
        case .notKept(let why): why
        }
    }
}

extension StoredAccountChange {
    /// - Parameter accounts: The accounts before the change.
    fileprivate func words(among accounts: [StoredAccount]) -> String {
        func label(_ id: AccountID) -> String { accounts.first { $0.id == id }?.account.label ?? "?" }
        return switch self {
        case .add(let account): "\(account.label): added"
        case .change(let id, let account) where label(id) != account.label: "\(label(id)): is \(account.label) now"
        case .change(_, let account): "\(account.label): changed"
        case .remove(let id): "\(label(id)): removed"
        case .keepForSignIn(let account): "\(account.label): is the account of the sign-in"
        }
    }

    fileprivate func adds(_ stored: StoredAccount) -> Bool {
        switch self {
        case .add(let account), .keepForSignIn(let account): stored.account.label == account.label
        case .change, .remove: false
        }
    }
}

/// The labels of the accounts in effect, for logs, metrics and programs. Usable from any thread.
final class AccountNames: Sendable {
    struct Names: Sendable {
        var labels: [AccountID: String]
        /// For each account, a change that could help if a far end shares no media with it.
        var hints: [AccountID: String]
        /// Accounts whose lines are at another server than their own, because their organisation is there.
        var elsewhere: Set<AccountID> = []
    }

    private let current: Mutex<Names>

    init(_ names: Names) { current = Mutex(names) }

    func set(_ names: Names) { current.withLock { $0 = names } }

    var all: Names { current.withLock { $0 } }
    var labels: [AccountID: String] { all.labels }

    /// The name of a line, for people.
    func name(of account: AccountID) -> String { labels.name(of: account) }
}
