/// A text for people, from a user or a server. It has lines, and at most `VertoLimits.textBytes`.
public struct VertoText: Equatable, Sendable {
    /// Nil: the far end of `call`, or the server itself.
    public let from: String?
    /// The call to which it belongs. Nil: none.
    public let call: VertoCallID?
    /// As received. The owner makes it safe to show.
    public let body: String

    public init(from: String? = nil, call: VertoCallID? = nil, body: String) {
        (self.from, self.call, self.body) = (from, call, body)
    }
}
