import Base

/// Digits that wait to be sent by INFO, one queue for each leg. A leg sends one INFO at a time, because two INFOs could
/// overtake each other and change the number.
struct DTMFQueues: Sendable {
    enum Effect: Equatable, Sendable {
        case info(LegID, DTMFSymbol)
        /// The digits were sent and their sounding time is over, except `unsent`.
        case sent(LegID, unsent: [DTMFElement])
    }

    private struct Queue: Equatable {
        var waiting: [DTMFElement] = []
        /// The digit that was sent and has no answer yet.
        var out: DTMFElement?
        /// When the digit that was sent last, and the gap after it, are over.
        var isFree = Instant.zero
    }

    private var queues: [LegID: Queue] = [:]
    /// When the next digit of a leg may be sent.
    private var timers = DeadlineTable<LegID>()

    var deadline: Instant? { timers.earliest }

    mutating func deadlineReached(at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let leg = timers.popDue(at: now) { effects += next(leg, at: now) }
        return effects
    }

    /// - Parameter isTaken: Whether the far end may accept digits by INFO.
    mutating func send(_ elements: [DTMFElement], in leg: LegID, isTaken: Bool, at now: Instant) -> [Effect] {
        guard !elements.isEmpty else { return [] }
        let before = queues[leg]?.waiting ?? []
        guard isTaken, before.count + elements.count <= LineMachine.dtmfLimit else {
            return [.sent(leg, unsent: elements)]
        }
        let isIdle = queues[leg] == nil
        queues[leg, default: Queue()].waiting += elements
        return isIdle ? next(leg, at: now) : []
    }

    private mutating func next(_ leg: LegID, at now: Instant) -> [Effect] {
        guard var queue = queues[leg] else { return [] }
        guard !queue.waiting.isEmpty else {
            forget(leg)
            return [.sent(leg, unsent: [])]
        }
        let next = queue.waiting.removeFirst()
        switch next {
        case .pause:
            queues[leg] = queue
            timers.set(leg, at: now + DTMFTiming.pause)
            return []
        case .symbol(let symbol):
            queue.isFree = now + DTMFTiming.info + DTMFTiming.gap
            queue.out = next
            queues[leg] = queue
            return [.info(leg, symbol)]
        }
    }

    /// The far end accepted the digit.
    mutating func taken(in leg: LegID, at now: Instant) {
        guard var queue = queues[leg] else { return }
        queue.out = nil
        queues[leg] = queue
        timers.set(leg, at: max(now, queue.isFree))
    }

    /// The far end accepts no digits, so the rest is not sent.
    mutating func refused(in leg: LegID) -> [Effect] {
        guard let queue = queues[leg] else { return [] }
        forget(leg)
        return [.sent(leg, unsent: (queue.out.map { [$0] } ?? []) + queue.waiting)]
    }

    /// Drops the digits of a leg without a report.
    mutating func forget(_ leg: LegID) {
        queues[leg] = nil
        timers.cancel(leg)
    }
}
