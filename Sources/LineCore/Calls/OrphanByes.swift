import Base
import SIPCore

/// BYEs to calls of the process before, which crashed or was killed in them. Best effort, for a bounded time.
struct OrphanByes: Sendable {
    typealias Number = UInt32

    private var snapshots: [Number: DialogSnapshot] = [:]
    private var count: Number = 0
    private var timers = DeadlineTable<Number>()

    var deadline: Instant? { timers.earliest }

    /// Those whose time is over; they are forgotten.
    mutating func overdue(at now: Instant) -> [Number] {
        var numbers: [Number] = []
        while let number = timers.popDue(at: now) { numbers.append(number) }
        return numbers
    }

    mutating func begin(_ snapshot: DialogSnapshot, at now: Instant) -> Number {
        count += 1
        snapshots[count] = snapshot
        timers.set(count, at: now + LineMachine.byeTimeout)
        return count
    }

    subscript(number: Number) -> DialogSnapshot? { snapshots[number] }

    /// In which the server may ask who we are.
    func realm(of number: Number) -> String? { snapshots[number]?.realm }

    mutating func end(_ number: Number) {
        snapshots[number] = nil
        timers.cancel(number)
    }
}
