import Base
import SIPCore

/// The common interface of the four transactions, for tests of all of them.
protocol TimedMachine {
    associatedtype Event: Sendable
    associatedtype Effect: Equatable, Sendable
    static var tick: Event { get }
    var deadline: Instant? { get }
    var isTerminated: Bool { get }
    mutating func handle(_ event: Event, at now: Instant) -> [Effect]
}

extension InviteClientTransaction: TimedMachine {
    static var tick: Event { .deadline }
    var isTerminated: Bool { state == .terminated }
}

extension NonInviteClientTransaction: TimedMachine {
    static var tick: Event { .deadline }
    var isTerminated: Bool { state == .terminated }
}

extension InviteServerTransaction: TimedMachine {
    static var tick: Event { .deadline }
    var isTerminated: Bool { state == .terminated }
}

extension NonInviteServerTransaction: TimedMachine {
    static var tick: Event { .deadline }
    var isTerminated: Bool { state == .terminated }
}

/// A transaction with its own clock, and a log of its effects by millisecond.
struct TransactionRun<Machine: TimedMachine> {
    struct Entry: Equatable {
        let at: Int64
        let effect: Machine.Effect
    }

    var machine: Machine
    var now = Instant.zero
    var log: [Entry] = []

    init(_ machine: Machine) { self.machine = machine }

    mutating func post(_ event: Machine.Event) {
        let at = now.nanoseconds / 1_000_000
        log += machine.handle(event, at: now).map { Entry(at: at, effect: $0) }
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
    func times(of effect: Machine.Effect) -> [Int64] { log.filter { $0.effect == effect }.map(\.at) }

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
