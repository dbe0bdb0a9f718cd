/// A connection to the server, by the number that the session gives it. Messages of an older one are ignored.
public struct VertoSocketID: Hashable, Sendable {
    public let rawValue: Int
}
