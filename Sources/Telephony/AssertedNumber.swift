/// A number and its domain, as confirmed by the account's own server or, on the direct line, by the address of the
/// caller.
public struct AssertedNumber: Hashable, Codable, Sendable {
    public var number: String
    /// In lower case. Nil: the account's own domain, or a global number.
    public var domain: String?

    public init(_ number: String, domain: String? = nil) { (self.number, self.domain) = (number, domain) }
}
