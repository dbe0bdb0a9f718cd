/// An incoming call that was refused before it was announced.
public struct RefusedCall: Equatable, Codable, Sendable {
    public var account: AccountID
    public var number: String
    public var name: String?
    /// The address that it came from. Nil: the line offered the call, and reports no address for such calls.
    public var from: String?
    public var reason: CallRefusal

    public init(account: AccountID, number: String, name: String?, from: String?, reason: CallRefusal) {
        (self.account, self.number, self.name, self.from, self.reason) = (account, number, name, from, reason)
    }
}
