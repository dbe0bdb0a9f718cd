/// One call of a line, named by the side that opened it.
public struct LegID: Hashable, Sendable, CustomStringConvertible {
    public enum Origin: Hashable, Sendable {
        /// Placed here; numbered by the line's user.
        case local
        /// Offered by the far end; numbered by the line.
        case remote
    }

    public let origin: Origin
    public let number: UInt32

    public init(_ origin: Origin, _ number: UInt32) {
        self.origin = origin
        self.number = number
    }

    public var description: String { "\(origin)-\(number)" }
}

/// Why a leg ended. Every leg has exactly one end.
public enum LegEnd: Equatable, Sendable {
    case hungUpHere, hungUpThere
    /// The phone itself ended it.
    case stopped(HangUpCause)
    case refusedHere(CallRejection)
    /// The caller gave up before an answer, or another phone of the user answered.
    case cancelledThere, answeredElsewhere
    case busyThere, declinedThere, noAnswerThere
    /// Another final response: its SIP status.
    case rejected(Int)
    /// The far end did not answer a request, or a request could not be sent.
    case unreachable
    /// The target is not an address that this line can call.
    case invalidTarget
    /// The line already has as many calls as it may have.
    case noRoom
    /// The two ends share no codec or no protection.
    case incompatible
    /// The far end can only be reached over a transport that the account does not use.
    case insecurePath
    /// The account's server rejects a call without a number.
    case anonymityRefused
    /// The server does not name the call that is to be picked up.
    case notNamed
    case shutDown
}
