/// A text message to an account, for the display. It is untrusted text, length-limited and free of control characters
/// except line breaks.
public struct TextMessage: Equatable, Codable, Sendable {
    public var account: AccountID
    public var number: String
    /// The name to show for the number: the contact's, else the signalling's.
    public var name: String?
    public var text: String

    public init(account: AccountID, number: String, name: String?, text: String) {
        self.account = account
        self.number = number
        self.name = name
        self.text = text
    }
}
