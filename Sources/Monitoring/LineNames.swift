import PhoneCore

/// What lines are called on the page: by their accounts' labels, each by another name.
public struct LineNames: Sendable {
    private let names: [AccountID: String]

    /// - Parameter labels: The accounts' labels, which a person chose: two may be alike, or like the direct line's name.
    public init(_ labels: [AccountID: String]) {
        var names: [AccountID: String] = [.direct: "direct line"]
        for (account, label) in labels.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            names[account] = names.values.contains(label) ? "\(label) (\(account.rawValue))" : label
        }
        self.names = names
    }

    public var accounts: [AccountID] { names.keys.sorted { $0.rawValue < $1.rawValue } }

    public subscript(account: AccountID) -> String { names[account] ?? "\(account)" }
}
