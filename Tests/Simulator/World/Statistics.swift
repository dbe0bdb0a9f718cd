import Base
import PhoneCore

/// Counts of a world's events.
package struct Statistics: Equatable, Sendable {
    /// Everything that came up in the agenda.
    package var events = 0
    /// The phones' events and effects.
    package var told = 0
    package var effects = 0
    package var dialled = 0
    package var answered = 0
    package var missed = 0
    package var failed = 0
    /// Ends of calls that were transferred or replaced.
    package var transferred = 0
    package var faults = 0
    /// Messages of strangers that a phone got.
    package var attacks = 0
    /// Messages between honest phones that their server changed.
    package var tampered = 0
    /// How often a call received data that its far end never sent.
    package var forgedPackets = 0
    /// Correct codes of far ends, and those that met a lock.
    package var doors = 0
    package var locks = 0
    /// Calls that were answered automatically.
    package var unattended = 0
    package var simulated = Duration.zero

    package init() {}

    package static func += (left: inout Statistics, right: Statistics) {
        left.events += right.events
        left.told += right.told
        left.effects += right.effects
        left.dialled += right.dialled
        left.answered += right.answered
        left.missed += right.missed
        left.failed += right.failed
        left.transferred += right.transferred
        left.faults += right.faults
        left.attacks += right.attacks
        left.tampered += right.tampered
        left.forgedPackets += right.forgedPackets
        left.doors += right.doors
        left.locks += right.locks
        left.unattended += right.unattended
        left.simulated += right.simulated
    }

    mutating func count(_ notice: Notice) {
        switch notice {
        case .callEnded(let summary, let reason):
            if reason == .transferred { transferred += 1 }
            if summary.direction == .outgoing { dialled += 1 }
            if summary.direction == .incoming && summary.answered != nil { answered += 1 }
            if summary.phase == .failed { failed += 1 }
        case .missedCall: missed += 1
        case .codeTried(_, .right): doors += 1
        case .codeTried(_, .locked): locks += 1
        default: return
        }
    }
}
