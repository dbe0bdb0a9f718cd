/// A text that somebody sends, or a server: for people, in lines, of at most `VertoLimits.textBytes`.
public struct VertoText: Equatable, Sendable {
    /// Nil: the far end of `call`, or the server itself.
    public let from: String?
    /// The call in which it was said. Nil: in none.
    public let call: VertoCallID?
    /// As it came: the owner makes it safe to show.
    public let body: String

    public init(from: String? = nil, call: VertoCallID? = nil, body: String) {
        (self.from, self.call, self.body) = (from, call, body)
    }
}
