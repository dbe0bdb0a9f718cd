import SIPCore

/// The reliable provisional responses of one far end to one INVITE of ours, in their order (RFC 3262 §4).
struct ReliableSequence: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// A response that may get lost. The far end waits for no PRACK.
        case unreliable
        /// The next one, which asks for a PRACK.
        case next(RSeq)
        /// A repetition of an acknowledged response, or one that overtook another. It is ignored. The far end repeats
        /// every response that has no PRACK.
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
