import PhoneCore

/// The names of lines on the metrics page: their accounts' labels, each made unique.
public struct LineNames: Sendable {
    private let names: [AccountID: String]

    /// - Parameter labels: The accounts' labels. A person chose them: two may be equal, or equal to the direct line's
    ///   name.
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
