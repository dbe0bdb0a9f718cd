import Base
import PhoneCore

/// Requests to a phone that are owed an outcome: exactly one, in time.
struct Debts: Equatable, Sendable {
    /// Its deadline, by this checker's clock, and the phases that a call can have.
    private struct Debt: Equatable, Sendable {
        var due: Instant
        let phases: Set<CallSummary.Phase>
        var needsCall = true

        /// An answer may wait for a change of the organisation, and for the offer behind it.
        var mayBeAnswer: Bool { phases.contains(.connecting) }
    }

    private struct Again: Equatable, Sendable {
        let id: ActionID
        let debt: Debt
    }

    private let policy: PhonePolicy
    private var owed: [ActionID: Debt] = [:]
    /// Requested again under the identifier of an action that is settled in this very transition.
    private var askedAgain: Again?
    /// Requested again under the identifier of an action that something else settled in the same transition. If that
    /// came before the request, the request is another action; if after, it is the same action.
    private var maybeOwed: ActionID?
    private var lastPanelAction: UInt64 = 0

    init(policy: PhonePolicy) { self.policy = policy }

    var isEmpty: Bool { owed.isEmpty }

    mutating func ask(_ event: PhoneEvent, at now: Instant) {
        askedAgain = nil
        guard case .request(let id, let request) = event else { return }
        let debt = debt(for: request, at: now)
        if owed[id] == nil { owed[id] = debt } else { askedAgain = Again(id: id, debt: debt) }
    }

    private func debt(for request: Request, at now: Instant) -> Debt {
        let up: Set<CallSummary.Phase> = [.active, .onHold, .reconnecting]
        return switch request {
        case .dial, .pickUp: Debt(due: now + policy.startTime, phases: [.ringingOut])
        // A phone that recalls a held caller is answered by resuming that call.
        case .answer: Debt(due: now + policy.answerTime, phases: [.connecting, .onHold, .reconnecting])
        case .hangUp, .decline: Debt(due: now + policy.endTime, phases: [.disconnecting])
        case .hold, .resume, .toggleHold: Debt(due: now + policy.actionTime, phases: up)
        case .transfer, .connect, .startRecording, .stopRecording, .startPlayback:
            Debt(due: now + policy.actionTime, phases: up)
        case .switchOrganisation: Debt(due: now + policy.switchTime, phases: [], needsCall: false)
        case .organisations, .signIn, .signOut:
            Debt(due: now + PhonePolicy.backendTime, phases: [], needsCall: false)
        case .testSound: Debt(due: now + .seconds(10), phases: [], needsCall: false)
        case .acceptTransfer, .declineTransfer, .conference, .mute, .toggleMute, .dtmf, .route, .speaker,
            .toggleSpeaker, .silenceRinger, .doNotDisturb, .volume, .stopPlayback, .startPage, .stopPage, .relay,
            .compareWords, .connectAccounts, .disconnectAccounts, .reconnect, .clearMissedCalls, .reset, .status,
            .cancelSignIn:
            Debt(due: now + policy.actionTime, phases: [])
        }
    }

    /// A request that waits for a crossing hold may wait until its retry, and the usual time after it.
    mutating func delay(
        _ event: PhoneEvent, _ pending: [ActionID: Instant], _ snapshot: PhoneSnapshot, at now: Instant
    ) {
        for (id, due) in pending where due <= latestAnswer(event, snapshot, at: now) {
            if let debt = owed[id], debt.mayBeAnswer { owed[id]?.due = max(debt.due, due) }
        }
        guard case .line(.holdDelayed(_, let delay)) = event else { return }
        for (id, due) in pending where due <= now + max(delay, .zero) + policy.actionTime {
            if let known = owed[id]?.due { owed[id]?.due = max(known, due) }
        }
    }

    /// Until when an answer may take that waits for what this event brings.
    private func latestAnswer(_ event: PhoneEvent, _ snapshot: PhoneSnapshot, at now: Instant) -> Instant {
        if snapshot.switchingTo != nil { return now + policy.switchTime + policy.offerTime }
        switch event {
        case .line(.registration): return now + policy.offerTime
        case .line(.offered): return now + policy.connectTime
        case .line, .panel, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .policyChanged,
            .deadline, .shutDown:
            return now
        }
    }

    mutating func settle(_ effect: PhoneEffect, at now: Instant) throws(Violation) {
        guard case .control(.settled(let id, _)) = effect else { return }
        if let due = owed.removeValue(forKey: id)?.due {
            if now > due { throw Violation("an action is settled within its deadline: \(id)") }
            guard let again = askedAgain, again.id == id else { return }
            if due <= now { owed[id] = again.debt } else { maybeOwed = id }
            askedAgain = nil
        } else if maybeOwed == id {
            maybeOwed = nil
        } else if id.source == .panel && id.number > lastPanelAction {
            lastPanelAction = id.number
        } else {
            throw Violation("an action is settled once: \(id)")
        }
    }

    /// When the machine rests.
    mutating func check(
        _ pending: [ActionID: Instant], _ snapshot: PhoneSnapshot, at now: Instant
    ) throws(Violation) {
        for (id, due) in pending where owed[id] == nil {
            // A person's action is seen first when it is under way.
            let switching = snapshot.switchingTo == nil ? Duration.zero : policy.switchTime + policy.offerTime
            guard id.source == .panel, due <= now + max(policy.answerTime, policy.startTime, switching) else {
                throw Violation("every pending action was requested: \(id)")
            }
            lastPanelAction = max(lastPanelAction, id.number)
            // It answers a call, or changes the organisation without one.
            owed[id] = Debt(
                due: due, phases: Set(CallSummary.Phase.allCases), needsCall: snapshot.switchingTo == nil)
        }
        for (id, debt) in owed {
            guard pending[id] != nil else { throw Violation("no action is forgotten: \(id)") }
            guard !debt.needsCall || snapshot.calls.contains(where: { debt.phases.contains($0.phase) }) else {
                throw Violation("a pending action has a call: \(id)")
            }
        }
        if pending.values.contains(where: { $0 <= now }) { throw Violation("nothing is overdue") }
    }
}
