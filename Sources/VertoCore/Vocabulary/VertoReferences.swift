/// What the server calls a call, beside its id: other channels of the same provider name it by these.
public struct VertoReferences: Equatable, Sendable {
    public var session: String?
    public var leg: String?
    public var control: String?

    public init(session: String? = nil, leg: String? = nil, control: String? = nil) {
        (self.session, self.leg, self.control) = (session, leg, control)
    }
}
