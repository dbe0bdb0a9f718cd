/// An end of a call as the server names it. Both texts are safe to show, and of at most `VertoLimits.nameBytes`.
public struct VertoParty: Equatable, Sendable {
    public var name: String?
    public var number: String?

    public init(name: String? = nil, number: String? = nil) { (self.name, self.number) = (name, number) }
}
