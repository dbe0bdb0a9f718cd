/// An end of a call, as the server names it. Both texts are safe to show, and of at most `VertoLimits.nameBytes`.
public struct VertoParty: Equatable, Sendable {
    public var name: String?
    public var number: String?
    /// Whether the number is exactly as the server wrote it. If not, two different numbers may look alike.
    public var isNumberWhole: Bool

    public init(name: String? = nil, number: String? = nil, isNumberWhole: Bool = true) {
        (self.name, self.number, self.isNumberWhole) = (name, number, isNumberWhole)
    }
}
