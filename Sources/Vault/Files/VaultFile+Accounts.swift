import PhoneCore

/// A change of an account that a running phone asks for.
public enum StoredAccountChange: Sendable {
    /// The label must be one that no other account has.
    case add(Account)
    /// Replaces everything except the identifier and the device, which the server and the history know.
    case change(AccountID, to: Account)
    case remove(AccountID)
    /// Keeps the account that a sign-in brings, in place of that of an earlier one.
    case keepForSignIn(Account)
}

extension VaultFile {
    /// - Returns: All accounts after the change.
    mutating func change(_ change: StoredAccountChange) -> Result<[StoredAccount], VaultError> {
        do throws(VaultError) {
            switch change {
            case .add(let account):
                try checkLabel(of: account, beside: nil)
                _ = try addAccount(account)
            case .change(let id, let account):
                try checkLabel(of: account, beside: id)
                try changeAccount(id, to: account)
            case .remove(let id): guard try removeAccount(id) else { throw .noSuchAccount }
            case .keepForSignIn(let account): _ = try keepAccountOfSignIn(account)
            }
            return .success(try accounts())
        } catch {
            return .failure(error)
        }
    }

    /// Changes an account. What its line has learned about the server, and the keys of far ends, stay only with the
    /// same server and domain.
    public mutating func changeAccount(_ id: AccountID, to account: Account) throws(VaultError) {
        try account.validate()
        guard try accounts().contains(where: { $0.id == id }) else { throw .noSuchAccount }
        try change { (database) throws(SQLiteError) in try database.updateAccount(id, to: account) }
    }

    private func checkLabel(of account: Account, beside own: AccountID?) throws(VaultError) {
        guard try !accounts().contains(where: { $0.account.label == account.label && $0.id != own }) else {
            throw .invalidValue(field: "label", expected: "one that no other account has")
        }
    }
}

extension VaultError {
    fileprivate static let noSuchAccount = invalidValue(field: "account", expected: "one that the vault has")
}
