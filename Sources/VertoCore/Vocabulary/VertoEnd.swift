/// How a call ended.
public struct VertoEnd: Equatable, Sendable {
    public let reason: VertoEndReason
    /// The server's name for it, also an unknown one. Safe to show, at most `VertoLimits.causeBytes`.
    public let cause: String?
    public let code: Int?
    /// The status with which a SIP leg behind the server ended, and its reason phrase.
    public let sipCode: Int?
    public let sipReason: String?

    public init(
        _ reason: VertoEndReason, cause: String? = nil, code: Int? = nil, sipCode: Int? = nil,
        sipReason: String? = nil
    ) {
        (self.reason, self.cause, self.code) = (reason, cause, code)
        (self.sipCode, self.sipReason) = (sipCode, sipReason)
    }
}
