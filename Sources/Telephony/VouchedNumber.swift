/// A number and where it is at home, by the word of somebody who knows: the account's own server, or, on the direct line,
/// the address that the caller is at.
public struct VouchedNumber: Hashable, Codable, Sendable {
    public var number: String
    /// In lower case; nil: the account's own.
    public var domain: String?

    public init(_ number: String, domain: String? = nil) { (self.number, self.domain) = (number, domain) }
}
