/// A number whose state the server reports, for a speed-dial key with a lamp.
public struct WatchedNumber: Hashable, Codable, Sendable {
    public var account: AccountID
    /// The number as it is dialled.
    public var number: String

    public init(_ number: String, account: AccountID) {
        self.number = number
        self.account = account
    }
}
