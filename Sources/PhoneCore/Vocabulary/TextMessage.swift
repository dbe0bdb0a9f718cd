/// A text that somebody sent to an account, for the display: hostile, length-limited and, but for line breaks, free of
/// control characters.
public struct TextMessage: Equatable, Codable, Sendable {
    public var account: AccountID
    public var number: String
    /// What to show for the number: a contact's name, else the signalling's.
    public var name: String?
    public var text: String

    public init(account: AccountID, number: String, name: String?, text: String) {
        self.account = account
        self.number = number
        self.name = name
        self.text = text
    }
}
