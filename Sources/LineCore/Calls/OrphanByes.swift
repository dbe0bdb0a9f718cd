import Base
import SIPCore

/// Tracks BYEs for calls of an earlier process, which crashed or was killed during them. It tries for a bounded time.
struct OrphanByes: Sendable {
    typealias Number = UInt32

    private var snapshots: [Number: DialogSnapshot] = [:]
    private var count: Number = 0
    private var timers = DeadlineTable<Number>()

    var deadline: Instant? { timers.earliest }

    /// The BYEs whose time is over. Their timers are removed; `end` removes the rest.
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

    /// The realm in which the server may challenge the BYE.
    func realm(of number: Number) -> String? { snapshots[number]?.realm }

    mutating func end(_ number: Number) {
        snapshots[number] = nil
        timers.cancel(number)
    }
}
