import Base
// This module's vocabulary includes the terms that the phone and its lines share.
@_exported import Telephony

/// An incoming call that was refused before it was announced.
public struct RefusedCall: Equatable, Codable, Sendable {
    public var account: AccountID
    public var number: String
    public var name: String?
    /// The address that it came from. Nil: the line offered the call, and reports no address for such calls.
    public var from: String?
    public var reason: CallRefusal

    public init(account: AccountID, number: String, name: String?, from: String?, reason: CallRefusal) {
        (self.account, self.number, self.name, self.from, self.reason) = (account, number, name, from, reason)
    }
}

/// The question whether the phone calls another target for a far end. The account pays for the call.
public struct TransferQuestion: Equatable, Codable, Sendable {
    public enum Cause: String, Codable, Sendable {
        /// The far end of a call that is up asks for it (REFER).
        case transfer
        /// The party that the phone called, or its server, asks for it (a 3xx answer).
        case redirection
    }

    public let cause: Cause
    /// The target, for people: a number or an address.
    public let target: String
    /// If the person has not answered by then, the target is not called.
    public let until: Instant

    public init(cause: Cause, target: String, until: Instant) {
        (self.cause, self.target, self.until) = (cause, target, until)
    }
}

/// The answer to the question.
public enum TransferAnswer: String, Codable, Sendable {
    /// A person agreed, or declined.
    case accepted, declined
    /// The person did not answer in time.
    case expired
    /// No person was asked: the number is on the list of permitted targets.
    case listed
    /// No person was asked: the phone does not make such a call, or not now.
    case refused
}
