/// A new or changed contact: from a form, a command line, or the file of another telephone. Missing parts stay as they
/// are.
public struct ContactEntry: Equatable, Sendable {
    /// Nil: the known name, else the number.
    public var name: String?
    public var number: String
    /// Empty: the contact has no special ring.
    public var ring: String?
    public var isBlocked: Bool?

    public init(name: String?, number: String, ring: String? = nil, isBlocked: Bool? = nil) {
        (self.name, self.number, self.ring, self.isBlocked) = (name, number, ring, isBlocked)
    }

    /// The resulting contact.
    /// - Parameter former: The known contact.
    public func contact(over former: Contact?) -> Contact {
        let ring = ring ?? former?.ring
        return Contact(
            name: name ?? former?.name ?? number, number: number, ring: ring?.isEmpty == true ? nil : ring,
            isBlocked: isBlocked ?? former?.isBlocked ?? false)
    }
}
