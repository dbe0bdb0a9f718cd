import Base

/// A far end wants the phone to call somebody else, at the account's cost, and a person is asked.
public struct TransferQuestion: Equatable, Codable, Sendable {
    public enum Cause: String, Codable, Sendable {
        /// The far end of a call that is up (REFER).
        case transfer
        /// Whom the phone called, or its server (a 3xx answer).
        case redirection
    }

    public let cause: Cause
    /// A number, or an address: for people.
    public let target: String
    /// Nobody called until then is nobody called.
    public let until: Instant

    public init(cause: Cause, target: String, until: Instant) {
        (self.cause, self.target, self.until) = (cause, target, until)
    }
}

/// What became of the question.
public enum TransferAnswer: String, Codable, Sendable {
    /// A person agreed, or declined.
    case accepted, declined
    /// Nobody said anything, or the call was over.
    case expired
    /// Nobody was asked: the number is on the list of those that may be called.
    case listed
    /// Nobody was asked: no such call is made, here or now.
    case refused
}
