import PhoneCore

/// Maps labels to the vault's accounts. A configuration names accounts only by label.
package struct AccountLabels: Sendable {
    /// The accounts in the vault's order.
    let accounts: [(id: AccountID, label: String)]

    package init(_ accounts: [(id: AccountID, label: String)]) { self.accounts = accounts }

    /// The account that a key of the configuration names.
    func account(_ label: String, key: String) throws(UnknownAccount) -> AccountID {
        guard let account = accounts.first(where: { $0.label == label }) else {
            throw UnknownAccount(key: key, label: label, known: accounts.map(\.label))
        }
        return account.id
    }

    /// The labels for the control interface.
    var labels: [AccountID: String] { Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.label) }) }
}

extension [AccountID: String] {
    /// The name of a line, for people: its account's label.
    func name(of account: AccountID) -> String {
        account == .direct ? "direct line" : self[account] ?? "account \(account.rawValue)"
    }
}

/// The configuration names an account that the vault does not have.
package struct UnknownAccount: Error, CustomStringConvertible {
    let key: String
    let label: String
    let known: [String]

    package var description: String {
        let list = known.isEmpty ? "none, add one with `offhook account add`" : known.joined(separator: ", ")
        return "\(key): there is no account \"\(label)\"; known accounts: \(list)"
    }
}
