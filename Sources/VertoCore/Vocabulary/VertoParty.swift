/// An end of a call as the server names it. Both texts are safe to show, and of at most `VertoLimits.nameBytes`.
public struct VertoParty: Equatable, Sendable {
    public var name: String?
    public var number: String?
    /// Whether the server wrote the number exactly so. If not, two different numbers may be shown alike.
    public var isNumberWhole: Bool

    public init(name: String? = nil, number: String? = nil, isNumberWhole: Bool = true) {
        (self.name, self.number, self.isNumberWhole) = (name, number, isNumberWhole)
    }
}
