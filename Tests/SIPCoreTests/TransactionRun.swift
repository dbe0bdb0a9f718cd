import Base
import SIPCore

/// The common interface of the four transactions, for tests of all of them.
protocol TimedMachine {
    associatedtype Event: Sendable
    static var tick: Event { get }
    var deadline: Instant? { get }
    var isTerminated: Bool { get }
    var flow: Flow { get }
    var name: TransactionID { get }
    /// Handles an event, as the layer does: a CANCEL that is due is sent.
    mutating func step(_ event: Event, at now: Instant) -> [TransactionLayer.Effect]
}

extension InviteClientTransaction: TimedMachine {
    static var tick: ClientTransaction.Event { .deadline }
    var isTerminated: Bool { state == .terminated }
    var name: TransactionID { .client(id) }

    mutating func step(_ event: ClientTransaction.Event, at now: Instant) -> [TransactionLayer.Effect] {
        let (effects, cancel) = handle(event, at: now)
        return effects + (cancel.map { [.send($0.bytes, flow)] } ?? [])
    }
}

extension NonInviteClientTransaction: TimedMachine {
    static var tick: ClientTransaction.Event { .deadline }
    var isTerminated: Bool { state == .terminated }
    var name: TransactionID { .client(id) }

    mutating func step(_ event: ClientTransaction.Event, at now: Instant) -> [TransactionLayer.Effect] {
        handle(event, at: now)
    }
}

extension InviteServerTransaction: TimedMachine {
    static var tick: ServerTransaction.Event { .deadline }
    var isTerminated: Bool { state == .terminated }
    var name: TransactionID { .server(id) }

    mutating func step(_ event: ServerTransaction.Event, at now: Instant) -> [TransactionLayer.Effect] {
        handle(event, at: now)
    }
}

extension NonInviteServerTransaction: TimedMachine {
    static var tick: ServerTransaction.Event { .deadline }
    var isTerminated: Bool { state == .terminated }
    var name: TransactionID { .server(id) }

    mutating func step(_ event: ServerTransaction.Event, at now: Instant) -> [TransactionLayer.Effect] {
        handle(event, at: now)
    }
}

/// A transaction with its own clock, and a log of its effects by millisecond.
struct TransactionRun<Machine: TimedMachine> {
    struct Entry: Equatable {
        let at: Int64
        let effect: TransactionLayer.Effect
    }

    var machine: Machine
    var now = Instant.zero
    var log: [Entry] = []

    init(_ machine: Machine) { self.machine = machine }

    mutating func post(_ event: Machine.Event) {
        let at = now.nanoseconds / 1_000_000
        log += machine.step(event, at: now).map { Entry(at: at, effect: $0) }
    }

    mutating func run(for duration: Duration) {
        let end = now + duration
        while let due = machine.deadline, due <= end {
            now = due
            post(Machine.tick)
        }
        now = end
    }

    /// When a certain effect happened, in milliseconds.
    func times(of effect: TransactionLayer.Effect) -> [Int64] { log.filter { $0.effect == effect }.map(\.at) }

    // The effects of this transaction.
    func sending(_ bytes: [UInt8]) -> TransactionLayer.Effect { .send(bytes, machine.flow) }
    var timedOut: TransactionLayer.Effect { .timedOut(machine.name) }
    var transportFailed: TransactionLayer.Effect { .transportFailed(machine.name) }

    /// Goal: no order of events breaks the machine. Method: all sequences of a length, of the events and of waiting
    /// for the next deadline.
    /// - Returns: The sequences after which `holds` is false; the number of each step is its place in `events`.
    func violations(
        _ events: [Machine.Event], length: Int, after sequence: [Int] = [], _ holds: (TransactionRun) -> Bool
    ) -> [[Int]] {
        guard holds(self) else { return [sequence] }
        guard length > 0 else { return [] }
        return (0...events.count).flatMap { choice in
            var next = self
            if choice < events.count {
                next.post(events[choice])
            } else {
                next.now = machine.deadline ?? now
                next.post(Machine.tick)
            }
            return next.violations(events, length: length - 1, after: sequence + [choice], holds)
        }
    }

    /// A finished transaction has no timer.
    var isQuietAtItsEnd: Bool { !machine.isTerminated || machine.deadline == nil }
}

extension TransactionRun<InviteClientTransaction> {
    func delivering(_ response: SIPResponse) -> TransactionLayer.Effect {
        .response(response, machine.id, machine.flow)
    }
}

extension TransactionRun<NonInviteClientTransaction> {
    func delivering(_ response: SIPResponse) -> TransactionLayer.Effect {
        .response(response, machine.id, machine.flow)
    }
}
