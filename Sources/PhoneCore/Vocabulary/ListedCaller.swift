/// A caller with a permission from a list: to be answered automatically, or to open a door.
///
/// The match is exact. `200` is user 200 of the account's own domain, as its server writes it, and not an outside
/// number that ends in 200. `200@other.example` is a different caller. A host alone is any caller from there.
public struct ListedCaller: Hashable, Codable, Sendable {
    /// The number without the separators that people write. Nil: any caller of the domain.
    public var number: String?
    /// The domain in lower case. Nil: the account's own.
    public var domain: String?

    /// - Precondition: a number or a domain.
    public init(_ number: String?, domain: String? = nil) {
        precondition(number != nil || domain != nil, "a list names somebody")
        self.number = number.map { Self.written($0) }
        self.domain = domain?.lowercased()
    }

    public func matches(_ caller: AssertedNumber) -> Bool {
        domain == caller.domain && number.map { $0 == Self.shown(caller.number) } ?? true
    }

    /// An entry as the list means it. People write separators as they like; names are equal in upper and lower case.
    private static func written(_ number: String) -> String {
        let isNumber = number.utf8.allSatisfy { "+0123456789*# -./()".utf8.contains($0) }
        return isNumber ? number.filter { !" -./()".contains($0) } : number.lowercased()
    }

    /// A caller as a server writes it. Separators mean nothing only in global numbers (RFC 3966 §5.1.1): a server may
    /// have a user `2-0-0` who is not user `200`.
    private static func shown(_ number: String) -> String {
        number.hasPrefix("+") ? written(number) : number.lowercased()
    }
}
