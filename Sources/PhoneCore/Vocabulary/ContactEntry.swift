/// What somebody says of a contact: in a form, on a command line, or in the file of another telephone. What is not said
/// stays as it is.
public struct ContactEntry: Equatable, Sendable {
    /// Nil: the one that is known, else the number.
    public var name: String?
    public var number: String
    /// Empty: no ring of its own.
    public var ring: String?
    public var isBlocked: Bool?

    public init(name: String?, number: String, ring: String? = nil, isBlocked: Bool? = nil) {
        (self.name, self.number, self.ring, self.isBlocked) = (name, number, ring, isBlocked)
    }

    /// The contact that comes of it.
    /// - Parameter former: The one that is known.
    public func contact(over former: Contact?) -> Contact {
        let ring = ring ?? former?.ring
        return Contact(
            name: name ?? former?.name ?? number, number: number, ring: ring?.isEmpty == true ? nil : ring,
            isBlocked: isBlocked ?? former?.isBlocked ?? false)
    }
}
