/// Somebody to whom a list gives a right: to be answered without a person, to open a door.
///
/// Nothing of it is guessed. `200` is 200 of the account's own domain, as its server writes it, and not an outside number
/// that ends so; `200@other.example` is another one; a host alone is whoever calls from there.
public struct ListedCaller: Hashable, Codable, Sendable {
    /// Without the separators that people write. Nil: whoever is there.
    public var number: String?
    /// In lower case; nil: the account's own.
    public var domain: String?

    /// - Precondition: a number or a domain.
    public init(_ number: String?, domain: String? = nil) {
        precondition(number != nil || domain != nil, "a list names somebody")
        self.number = number.map { Self.plain($0) }
        self.domain = domain?.lowercased()
    }

    public func matches(_ caller: VouchedNumber) -> Bool {
        domain == caller.domain && number.map { $0 == Self.plain(caller.number) } ?? true
    }

    /// A name is the same in any case; a number is, however it is set in groups.
    private static func plain(_ number: String) -> String {
        let isNumber = number.utf8.allSatisfy { "+0123456789*# -./()".utf8.contains($0) }
        return isNumber ? number.filter { !" -./()".contains($0) } : number.lowercased()
    }
}
