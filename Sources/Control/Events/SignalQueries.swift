import JSON
import PhoneCore

/// Answers queries for the lines' messages: at once, or when the next message comes.
///
/// A client asks for each page, so no messages are queued for it. A slow client learns how many messages the ring has
/// dropped.
struct SignalQueries {
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

/// The last messages of all lines; the newest displace the oldest. Each has a number, with which a reader names its
/// last one. So a reader gets earlier and later messages in the same way.
struct SignalRing: Sendable {
    /// One answer to a reader.
    struct Page: Equatable, Sendable {
        let signals: [ControlSignal]
        /// The number of the last message; the reader's own number if the page is empty.
        let last: UInt64
        /// The number of messages that were dropped between the reader's last one and the first one here.
        let lost: UInt64
    }

    static let maximumCount = 500
    static let maximumBytes = 1_048_576
    /// The size of a page's messages in bytes; a single message may be larger.
    static let pageBytes = 32_768

    private var signals: [ControlSignal] = []
    /// The number of dropped messages at the start; they are removed together.
    private var displaced = 0
    private var bytes = 0
    /// The number of the newest message; the first one is 1.
    private(set) var last: UInt64 = 0

    mutating func append(_ signal: ControlSignal) {
        signals.append(signal)
        bytes += signal.message.count
        last += 1
        while signals.count - displaced > Self.maximumCount || bytes > Self.maximumBytes {
            bytes -= signals[displaced].message.count
            signals[displaced].message = []
            displaced += 1
        }
        guard displaced >= Self.maximumCount else { return }
        signals.removeFirst(displaced)
        displaced = 0
    }

    /// The messages after the reader's number. 0 means that it has seen none and lost none.
    func page(after seen: UInt64) -> Page {
        let kept = signals[displaced...]
        let before = last - UInt64(kept.count)
        let first = max(seen, before)
        guard first < last else { return Page(signals: [], last: seen, lost: 0) }
        var room = Self.pageBytes
        let page = kept.dropFirst(Int(first - before)).prefix { signal in
            defer { room -= signal.message.count }
            return room > 0
        }
        return Page(signals: Array(page), last: first + UInt64(page.count), lost: seen == 0 ? 0 : first - seen)
    }
}

/// Handles queries for the lines' signalling messages.
extension Exchange {
    func publish(_ signal: ControlSignal) {
        signalCounted()
        answer(signals.publish(signal))
    }

    /// Answers `getSignals`, now or later.
    func askForSignals(_ params: RPCParams, from asker: Asker) throws(RPCError) {
        let seen = UInt64(try params.optionalInteger("after", in: 0...Int64.max) ?? 0)
        let waits = params.has("wait") ? try params.flag("wait") : false
        asker.peer.requestsInFlight += 1
        answer(signals.ask(.init(asker: asker, seen: seen), waits: waits))
    }

    /// Answers the queries. A connection that is too slow closes in between, and its query goes.
    private func answer(_ questions: [SignalQueries.Question]) {
        for question in questions {
            let page = signals.page(for: question)
            question.asker.peer.requestsInFlight -= 1
            question.asker.answer(
                .success([
                    "last": .integer(Int64(clamping: page.last)), "lost": .integer(Int64(clamping: page.lost)),
                    "signals": .array(page.signals.map { $0.json(label: label(of: $0.account)) }),
                ]))
        }
    }
}
