/// A number whose phones the server tells of: a speed-dial key with a lamp that shows them.
public struct WatchedNumber: Hashable, Codable, Sendable {
    public var account: AccountID
    /// As it is dialled.
    public var number: String

    public init(_ number: String, account: AccountID) {
        self.number = number
        self.account = account
    }
}
