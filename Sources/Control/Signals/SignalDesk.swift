import PhoneCore

/// Answers queries for the lines' messages: at once, or when the next message comes.
///
/// A client asks for each page, so no messages are queued for it. A slow client learns how many messages the ring has
/// dropped.
struct SignalDesk {
    /// A client's query.
    struct Question {
        let asker: Asker
        /// The number of its last message.
        let seen: UInt64
    }

    private var ring = SignalRing()
    /// The queries that wait for a message, at most one for each peer.
    private var waiting: [ObjectIdentifier: Question] = [:]

    func page(for question: Question) -> SignalRing.Page { ring.page(after: question.seen) }

    /// - Returns: The queries that can be answered now.
    mutating func publish(_ signal: ControlSignal) -> [Question] {
        ring.append(signal)
        defer { waiting = [:] }
        return Array(waiting.values)
    }

    /// - Parameter waits: Whether the answer may wait for a message.
    /// - Returns: The queries that can be answered now. An earlier query of the same peer is always one of them.
    mutating func ask(_ question: Question, waits: Bool) -> [Question] {
        let place = ObjectIdentifier(question.asker.peer)
        let earlier = waiting.removeValue(forKey: place).map { [$0] } ?? []
        guard waits, page(for: question).signals.isEmpty else { return earlier + [question] }
        waiting[place] = question
        return earlier
    }

    /// - Returns: The sender of the cancelled query, if it waits here.
    mutating func cancel(_ isMeant: (Asker) -> Bool) -> Asker? {
        guard let (place, question) = waiting.first(where: { isMeant($0.value.asker) }) else { return nil }
        waiting[place] = nil
        return question.asker
    }

    mutating func leave(_ peer: any Peer) { waiting[ObjectIdentifier(peer)] = nil }
}
