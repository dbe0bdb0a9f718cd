import PhoneCore
import Synchronization

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
