import PhoneCore

/// Answers readers that ask for the lines' messages: at once, or when the next message comes.
///
/// A reader asks for each page, so no messages are queued for it. A slow reader finds that the ring has dropped
/// messages, and learns how many it missed.
struct SignalDesk {
    /// A reader's question.
    struct Question {
        let asker: Asker
        /// The number of the last message it has.
        let seen: UInt64
    }

    private var ring = SignalRing()
    /// The questions that wait for a message, at most one for each peer.
    private var waiting: [ObjectIdentifier: Question] = [:]

    func page(for question: Question) -> SignalRing.Page { ring.page(after: question.seen) }

    /// - Returns: The questions that have an answer now.
    mutating func publish(_ signal: ControlSignal) -> [Question] {
        ring.append(signal)
        defer { waiting = [:] }
        return Array(waiting.values)
    }

    /// - Parameter waits: Whether the answer may come later, when there is a message.
    /// - Returns: The questions that have an answer now. An earlier question of the same peer is always one of
    ///   them.
    mutating func ask(_ question: Question, waits: Bool) -> [Question] {
        let place = ObjectIdentifier(question.asker.peer)
        let earlier = waiting.removeValue(forKey: place).map { [$0] } ?? []
        guard waits, page(for: question).signals.isEmpty else { return earlier + [question] }
        waiting[place] = question
        return earlier
    }

    /// - Returns: Who asked the question that is given up, if it waits here.
    mutating func cancel(_ isMeant: (Asker) -> Bool) -> Asker? {
        guard let (place, question) = waiting.first(where: { isMeant($0.value.asker) }) else { return nil }
        waiting[place] = nil
        return question.asker
    }

    mutating func leave(_ peer: any Peer) { waiting[ObjectIdentifier(peer)] = nil }
}
