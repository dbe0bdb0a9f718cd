import Control
import JSON
import PhoneCore
import Synchronization
import Vault

/// Adds, changes and removes accounts while the phone runs.
extension SetupDesk {
    func labels() -> [String] { means.accounts.accounts.map(\.account.label) }

    func newAccount(_ draft: AccountDraft) throws(RPCError) -> Account {
        do throws(AccountRefusal) {
            return try draft.account(beside: labels())
        } catch {
            throw RPCError(.invalidParams, error.description)
        }
    }

    /// Adds the tried account, whatever the verdict was.
    func addTried(_ number: Int64, for action: ActionID) throws(RPCError) {
        guard let tried = state.withLock({ $0.tried }), tried.number == number else {
            throw RPCError(.noSuchTrial, "there is no account of this trial any more; try it again")
        }
        means.accounts.add(tried.account) { [self] result in
            if case .success = result { forget(number) }
            answer(action, result.answer(["label": .string(tried.account.label)]))
        }
    }

    func add(_ draft: AccountDraft, for action: ActionID) throws(RPCError) {
        let account = try newAccount(draft)
        means.accounts.add(account) { [self] in
            answer(action, $0.answer(["label": .string(account.label)]))
        }
    }

    func change(_ id: AccountID, _ draft: AccountDraft, for action: ActionID) throws(RPCError) {
        let all = means.accounts.accounts
        guard let present = all.first(where: { $0.id == id }) else { throw .refused(.unknown) }
        let account: Account
        do throws(AccountRefusal) {
            let others = all.filter { $0.id != id }
            account = try draft.account(changing: present.account, beside: others.map(\.account.label))
        } catch {
            throw RPCError(.invalidParams, error.description)
        }
        means.accounts.change(id, to: account) { [self] in
            answer(action, $0.answer(["label": .string(account.label)]))
        }
    }

    func remove(_ id: AccountID, for action: ActionID) {
        means.accounts.remove(id) { [self] in answer(action, $0.answer([:])) }
    }
}

extension Result<[StoredAccount], AccountDesk.Refusal> {
    /// - Parameter value: The answer to a client after a success.
    fileprivate func answer(_ value: JSONValue) -> SetupDesk.Answer {
        map { _ in value }.mapError(RPCError.refused)
    }
}

extension RPCError {
    fileprivate static func refused(_ refusal: AccountDesk.Refusal) -> RPCError {
        let word: ErrorWord =
            switch refusal {
            case .busy: .busy
            case .inCall: .inCall
            case .unknown: .invalidParams
            case .inUse, .isOfSignIn: .accountInUse
            case .notKept: .notKept
            }
        return RPCError(word, "\(refusal)")
    }
}
