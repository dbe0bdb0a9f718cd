/// A connection to the server, by the number that the session has for it. What an older one still says is not heard.
public struct VertoSocketID: Hashable, Sendable {
    public let rawValue: Int
}
