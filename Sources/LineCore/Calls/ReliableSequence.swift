import SIPCore

/// Checks the order of one far end's reliable provisional responses to our INVITE (RFC 3262 §4).
struct ReliableSequence: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// A response that may get lost. The far end expects no PRACK.
        case unreliable
        /// The next one, which asks for a PRACK.
        case next(RSeq)
        /// A repetition of an acknowledged response, or one that overtook another. It is ignored, because the far end
        /// repeats every response that has no PRACK.
        case outOfOrder
    }

    private var last: UInt32?

    mutating func take(_ response: SIPResponse) -> Step {
        guard response.headers.requires("100rel"), let sequence = try? response.headers.rSeq else { return .unreliable }
        guard last.map({ $0 < .max && sequence.number == $0 + 1 }) ?? true else { return .outOfOrder }
        last = sequence.number
        return .next(sequence)
    }
}
