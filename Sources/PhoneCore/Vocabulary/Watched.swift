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

/// What the phones of a watched number do.
public enum WatchedState: String, CaseIterable, Codable, Sendable {
    /// Nobody says, or nobody says any more.
    case unknown
    case idle, ringing, busy
    /// In a call that is on hold.
    case held
}
