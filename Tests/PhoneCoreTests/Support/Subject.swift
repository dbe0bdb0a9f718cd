import Base
import PhoneCore
import PhoneJudges

/// A phone under test: a value, so a tree of futures is walked by copying it.
struct Subject: Equatable {
    private(set) var machine: PhoneMachine
    private(set) var now = Instant.zero
    private(set) var violation: Violation?
    private var judge: PhoneJudge

    init(policy: PhonePolicy) {
        machine = PhoneMachine(policy: policy)
        judge = PhoneJudge(policy: policy, lines: .lawless)
    }

    @discardableResult
    mutating func post(_ event: PhoneEvent) -> [PhoneEffect] {
        let effects = machine.handle(event, at: now)
        violation = violation ?? judge.violation(event, at: now, effects, machine)
        return effects
    }

    /// - Precondition: no deadline is skipped.
    mutating func advance(to instant: Instant) {
        precondition(instant <= machine.deadline ?? instant, "time stops at deadlines")
        now = max(now, instant)
    }

    /// The deadline comes; without one a second passes.
    @discardableResult
    mutating func tick() -> [PhoneEffect] {
        advance(to: machine.deadline ?? now + .seconds(1))
        return post(.deadline)
    }

    /// Two minutes without input, after which a phone is at rest.
    mutating func rest() {
        let end = now + .seconds(120)
        while let due = machine.deadline, due <= end, violation == nil { tick() }
        advance(to: end)
        guard violation == nil else { return }
        do { try judge.checkRest(machine, at: now) } catch { violation = error }
    }
}
