import Base
import PhoneCore

/// Rules that hold whatever happens, judged from outside: by events, effects and what the phone says about itself.
///
/// It knows nothing of the machine's inside except which actions it still owes an outcome.
struct Invariants {
    struct Violation: Error, Equatable { let rule: String }

    private let policy: PhonePolicy
    private var calls: CallLives
    private var shown: Shown
    /// What is owed: until when, by the clock of this checker, and in which phases a call can be meanwhile.
    private struct Debt {
        var due: Instant
        let phases: Set<CallSummary.Phase>
        var needsCall = true
    }

    private var owed: [ActionID: Debt] = [:]
    /// Asked again under the identifier of an action that is settled in this very turn.
    private var askedAgain: (id: ActionID, debt: Debt)?
    private var lastPanelAction: UInt64 = 0
    private var isStopped = false

    init(policy: PhonePolicy) {
        self.policy = policy
        calls = CallLives(policy: policy)
        shown = Shown(route: policy.defaultRoute)
    }

    /// To be called after every event. Nil: all is well.
    mutating func check(
        _ event: PhoneEvent, at now: Instant, _ effects: [PhoneEffect], _ machine: PhoneMachine
    ) -> Violation? {
        do throws(Violation) {
            let snapshot = machine.snapshot
            calls.expect(event, at: now)
            ask(event, at: now)
            delay(event, machine, at: now)
            for effect in effects {
                try settle(effect, at: now)
                try calls.take(effect)
                try shown.take(effect)
                try stop(effect)
            }
            try calls.checkTurn(snapshot, limit: policy.maximumCalls)
            try shown.compare(with: snapshot)
            try checkOwed(machine, snapshot, at: now)
            try checkWaits(machine, snapshot, at: now)
            return nil
        } catch {
            return error
        }
    }

    /// To be called after a long time without input.
    func checkRest(_ machine: PhoneMachine) -> Violation? {
        let snapshot = machine.snapshot
        let isAtRest =
            snapshot.tone == nil && !snapshot.ringing && machine.pendingActions.isEmpty
            && snapshot.calls.allSatisfy { $0.phase == .active || $0.phase == .onHold }
            && (machine.deadline == nil || !snapshot.calls.isEmpty)
        return isAtRest ? nil : Violation(rule: "after quiet time a phone is idle or in a call")
    }

    // MARK: Actions

    private mutating func ask(_ event: PhoneEvent, at now: Instant) {
        askedAgain = nil
        guard case .request(let id, let request) = event else { return }
        let debt =
            switch request {
            case .dial, .pickUp: Debt(due: now + policy.startTime, phases: [.ringingOut])
            case .answer: Debt(due: now + policy.answerTime, phases: [.connecting])
            case .hangUp: Debt(due: now + policy.endTime, phases: [.disconnecting])
            case .hold, .resume, .toggleHold, .transfer, .connect, .startRecording, .stopRecording,
                .startPlayback:
                Debt(due: now + policy.actionTime, phases: [.active, .onHold, .reconnecting])
            case .switchOrganisation: Debt(due: now + policy.switchTime, phases: [], needsCall: false)
            case .mute, .toggleMute, .dtmf, .route, .toggleSpeaker, .conference, .silenceRinger, .doNotDisturb, .volume,
                .acceptTransfer, .declineTransfer, .stopPlayback,
                .relay, .clearMissedCalls, .status:
                Debt(due: now + policy.actionTime, phases: [])
            }
        if owed[id] == nil { owed[id] = debt } else { askedAgain = (id, debt) }
    }

    /// Whoever waits for a hold that met the far end's may wait until that goes again, and as long as ever behind it.
    private mutating func delay(_ event: PhoneEvent, _ machine: PhoneMachine, at now: Instant) {
        guard case .line(.holdDelayed(_, let delay)) = event else { return }
        for (id, due) in machine.pendingActions where due <= now + max(delay, .zero) + policy.actionTime {
            if let owed = owed[id]?.due { self.owed[id]?.due = max(owed, due) }
        }
    }

    private mutating func settle(_ effect: PhoneEffect, at now: Instant) throws(Violation) {
        guard case .control(.settled(let id, _)) = effect else { return }
        if let due = owed.removeValue(forKey: id)?.due {
            if now > due { throw Violation(rule: "an action is settled within its deadline: \(id)") }
            if let again = askedAgain, again.id == id, due <= now {
                owed[id] = again.debt
                askedAgain = nil
            }
        } else if id.source == .panel && id.number > lastPanelAction {
            lastPanelAction = id.number
        } else {
            throw Violation(rule: "an action is settled once: \(id)")
        }
    }

    private mutating func checkOwed(
        _ machine: PhoneMachine, _ snapshot: PhoneSnapshot, at now: Instant
    ) throws(Violation) {
        let pending = machine.pendingActions
        for (id, due) in pending where owed[id] == nil {
            // A person's action is seen first when it is under way.
            guard id.source == .panel, due <= now + max(policy.answerTime, policy.startTime) else {
                throw Violation(rule: "nothing is under way that nobody asked: \(id)")
            }
            lastPanelAction = max(lastPanelAction, id.number)
            owed[id] = Debt(due: due, phases: Set(CallSummary.Phase.allCases))
        }
        for (id, debt) in owed {
            guard pending[id] != nil else { throw Violation(rule: "no action is forgotten: \(id)") }
            guard !debt.needsCall || snapshot.calls.contains(where: { debt.phases.contains($0.phase) }) else {
                throw Violation(rule: "what is under way has a call: \(id)")
            }
        }
        if pending.values.contains(where: { $0 <= now }) { throw Violation(rule: "nothing is overdue") }
    }

    // MARK: Waits and the end

    private func checkWaits(
        _ machine: PhoneMachine, _ snapshot: PhoneSnapshot, at now: Instant
    ) throws(Violation) {
        let waits =
            !machine.pendingActions.isEmpty || snapshot.ringing || snapshot.tone != nil
            || snapshot.calls.contains { $0.phase != .active && $0.phase != .onHold }
        if waits && machine.deadline == nil { throw Violation(rule: "every wait has a deadline") }
        if let deadline = machine.deadline, deadline <= now {
            throw Violation(rule: "what is due was done")
        }
    }

    private mutating func stop(_ effect: PhoneEffect) throws(Violation) {
        guard effect == .stopped else { return }
        guard !isStopped, calls.isEmpty, owed.isEmpty else {
            throw Violation(rule: "it stops once, when all is settled")
        }
        isStopped = true
    }
}
