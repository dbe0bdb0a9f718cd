import Base
import PhoneCore

/// Rules of one phone that always hold, judged from outside: by events, effects, and the phone's snapshot.
///
/// The judge knows nothing of the machine's inside except which actions still need an outcome.
package struct PhoneJudge: Equatable, Sendable {
    /// How lines behave: by RFC 3261, or in any way at all. Some rules are about both.
    package enum Lines: Sendable { case lawful, lawless }

    private let policy: PhonePolicy
    private let lines: Lines
    private var calls: CallLives
    private var legs = LegLives()
    private var shown: Shown
    private var debts: Debts
    private var phases = PhaseClock()
    private var elsewhere = EndedElsewhere()
    private var refusals: Refusals
    private var receipts = Receipts()
    private var isStopped = false

    package init(policy: PhonePolicy, lines: Lines = .lawful) {
        (self.policy, self.lines) = (policy, lines)
        calls = CallLives(policy: policy)
        shown = Shown(policy: policy)
        debts = Debts(policy: policy)
        refusals = Refusals(policy: policy)
    }

    /// Judges a transition of the machine; to be called after every event.
    ///
    /// - Parameters:
    /// - effects: Its visible effects.
    /// - deadline: When the machine will be woken next.
    /// - Returns: the phone's snapshot.
    @discardableResult
    package mutating func check(
        _ event: PhoneEvent, at now: Instant, _ effects: [PhoneEffect], _ machine: PhoneMachine, deadline: Instant?
    ) throws(Violation) -> PhoneSnapshot {
        let snapshot = machine.snapshot
        calls.expect(event, at: now)
        refusals.expect(event, at: now)
        receipts.expect(event)
        debts.ask(event, at: now)
        debts.delay(event, machine.pendingActions, snapshot, at: now)
        for effect in effects {
            try debts.settle(effect, at: now)
            try calls.take(effect)
            try shown.take(effect)
            refusals.take(effect)
            try receipts.take(effect)
            try stop(effect)
        }
        try calls.checkTurn(snapshot, limit: policy.maximumCalls)
        try shown.compare(with: snapshot)
        try refusals.checkTurn(snapshot)
        try receipts.checkTurn(snapshot)
        if lines == .lawful { try checkLawful(event, at: now, effects, snapshot) }
        try debts.check(machine.pendingActions, snapshot, at: now)
        try checkWaits(machine, snapshot, deadline, at: now)
        return snapshot
    }

    /// Rules for lines that offer a name once, answer in order, and skip no deadline.
    private mutating func checkLawful(
        _ event: PhoneEvent, at now: Instant, _ effects: [PhoneEffect], _ snapshot: PhoneSnapshot
    ) throws(Violation) {
        try phases.checkTime(at: now, policy)
        phases.expect(event, at: now)
        legs.expect(event)
        for effect in effects {
            try legs.take(effect)
            phases.take(effect)
        }
        try legs.checkTurn(snapshot)
        try elsewhere.check(event, snapshot, policy, at: now)
        phases.note(snapshot, at: now)
    }

    /// Judges a machine at rest; to be called after a long time without input.
    package func checkRest(_ machine: PhoneMachine, at now: Instant) throws(Violation) {
        let snapshot = machine.snapshot
        guard snapshot.tone == nil else { throw Violation("at rest no tone plays: \(snapshot.tone as Any)") }
        guard !snapshot.ringing else { throw Violation("at rest no bell rings") }
        guard machine.pendingActions.isEmpty else { throw Violation("at rest no guard is closed") }
        for call in snapshot.calls
        where call.phase != .active && call.phase != .onHold && call.signallingLost != true {
            throw Violation("at rest every call is up: \(call.call) is \(call.phase)")
        }
        if snapshot.calls.isEmpty, policy.soundTest?.every == nil, let deadline = machine.deadline {
            throw Violation(
                "an idle phone waits for nothing: something is due at \(deadline.nanoseconds / 1_000_000) ms")
        }
        if lines == .lawful { try Probe(policy: policy).check(machine, at: now) }
    }

    /// A process that got the order to stop has stopped.
    package var hasStopped: Bool { isStopped }

    // MARK: Waits and the end

    private func checkWaits(
        _ machine: PhoneMachine, _ snapshot: PhoneSnapshot, _ deadline: Instant?, at now: Instant
    ) throws(Violation) {
        let waits =
            !machine.pendingActions.isEmpty || snapshot.ringing || snapshot.tone != nil
            || snapshot.calls.contains { $0.phase != .active && $0.phase != .onHold && $0.signallingLost != true }
        if waits && deadline == nil { throw Violation("every wait has a deadline") }
        if let deadline, deadline <= now { throw Violation("due actions were done") }
    }

    private mutating func stop(_ effect: PhoneEffect) throws(Violation) {
        guard effect == .stopped else { return }
        guard !isStopped, calls.isEmpty, debts.isEmpty else { throw Violation("it stops once, when all is settled") }
        isStopped = true
    }
}
