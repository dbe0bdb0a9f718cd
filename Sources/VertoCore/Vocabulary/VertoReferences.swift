/// The server's other names for a call, which other channels of the same provider use.
public struct VertoReferences: Equatable, Sendable {
    public var session: String?
    public var leg: String?
    public var control: String?

    public init(session: String? = nil, leg: String? = nil, control: String? = nil) {
        (self.session, self.leg, self.control) = (session, leg, control)
    }
}
