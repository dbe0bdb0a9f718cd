import Base
import PhoneCore
import PhoneJudges

/// The phone's machine, plain or with a planted fault. The machine itself has no switch for this.
struct TamperedMachine: Sendable {
    /// The machine's input, its real effects, and the effects and deadline shown to the world.
    typealias Turn = (told: PhoneEvent, real: [PhoneEffect], shown: [PhoneEffect], deadline: Instant?)

    private(set) var real: PhoneMachine
    private let bug: PlantedBug?
    private var heldBack: [CallID: PhoneEffect] = [:]
    private var hidesDeadline = false
    private var count = 0
    private var codes: CodeFilter
    /// When a line last refused calls of these numbers, and a call that is hidden from the machine.
    private var refusedAt: [String: Instant] = [:]
    private var unseen: CallID?
    /// The destination of the last call's voice.
    private var lastRemote: MediaAddress?

    init(_ machine: PhoneMachine, bug: PlantedBug?) {
        (real, self.bug) = (machine, bug)
        codes = CodeFilter(machine.policy)
    }

    var snapshot: PhoneSnapshot { real.snapshot }

    mutating func handle(_ event: PhoneEvent, at now: Instant) -> Turn {
        let told = bug.map { lie(of: event, $0, at: now) } ?? event
        let effects = real.handle(told, at: now)
        guard let bug else { return (told, effects, effects, real.deadline) }
        let shown = tamper(effects, event, bug)
        return (told, effects, shown, hidesDeadline ? nil : real.deadline)
    }

    /// The phone's snapshot for its judge. It is `mutating` though it changes nothing: a process, which is a class,
    /// would copy the machine otherwise.
    mutating func judged(
        by judge: inout PhoneJudge, _ event: PhoneEvent, _ effects: [PhoneEffect], at now: Instant, deadline: Instant?
    ) throws(Violation) -> PhoneSnapshot {
        try judge.check(event, at: now, effects, real, deadline: deadline)
    }

    /// The event as the machine gets it.
    private mutating func lie(of event: PhoneEvent, _ bug: PlantedBug, at now: Instant) -> PhoneEvent {
        switch (bug, event) {
        case (.neverLocks, _): return codes.passes(event, at: now) ? event : .deadline
        case (.refusesUnseen, .line(.refused(let caller, _, _))):
            refusedAt[caller.number] = now
            return event
        case (.refusesUnseen, .line(.offered(let leg, let caller))):
            guard let at = refusedAt[caller.number], now - at < .seconds(10) else { return event }
            unseen = leg
            return .deadline
        case (.anybodyIsListed, .line(.offered(let leg, var caller))):
            let listed = real.policy.relays[1]?.code?.callers.first
            caller.vouched = listed.flatMap { who in who.number.map { AssertedNumber($0, domain: who.domain) } }
            return .line(.offered(leg, caller))
        case (.forgetsDomain, .line(.offered(let leg, var caller))):
            caller.vouched?.domain = nil
            return .line(.offered(leg, caller))
        case (.verifiesAnybody, .line(.offered(let leg, var caller))):
            caller.verification = .passed
            return .line(.offered(leg, caller))
        case (_, _): return event
        }
    }

    /// Every third time.
    private mutating func strikes() -> Bool {
        count += 1
        return count.isMultiple(of: 3)
    }

    private mutating func tamper(_ effects: [PhoneEffect], _ event: PhoneEvent, _ bug: PlantedBug) -> [PhoneEffect] {
        switch bug {
        case .doubleEnd:
            return effects.flatMap { effect in
                guard case .control(.notice(.callEnded)) = effect, strikes() else { return [effect] }
                return [effect, effect]
            }
        case .leakedGuard:
            return effects.filter { effect in
                guard case .control(.settled) = effect else { return true }
                return !strikes()
            }
        case .lateActivation: return delay(effects)
        case .ringAfterElsewhere:
            guard case .line(.ended(_, .answeredElsewhere)) = event else { return effects }
            return effects.filter { $0 != .panel(.bell(nil)) && $0 != .media(.ring(nil)) }
        case .refusesUnseen:
            defer { unseen = nil }
            return effects + (unseen.map { [.line(.refuse($0, .unavailable))] } ?? [])
        case .lostDeadline:
            hidesDeadline = false
            if case .line(.offered) = event { hidesDeadline = strikes() }
            return effects
        case .speaksBeforeACK:
            return effects.map { effect in
                guard case .line(.answer(let leg, let endpoint, awaitingACK: true)) = effect else { return effect }
                return .line(.answer(leg, endpoint, awaitingACK: false))
            }
        case .crossesVoice: return effects.map { cross($0) }
        case .dropsProtection:
            return effects.map { effect in
                guard case .media(.update(let call, var plan)) = effect else { return effect }
                plan.protection = nil
                return .media(.update(call, plan))
            }
        case .believesAddress, .believesTransport, .believesDialog, .believesBranch, .weakProof, .followsReferral,
            .anybodyIsListed, .forgetsDomain, .verifiesAnybody, .neverLocks:
            return effects
        }
    }

    private mutating func cross(_ effect: PhoneEffect) -> PhoneEffect {
        guard case .media(.connect(let call, let plan)) = effect else { return effect }
        var crossed = plan
        crossed.remote = lastRemote ?? plan.remote
        lastRemote = plan.remote
        return .media(.connect(call, crossed))
    }

    private mutating func delay(_ effects: [PhoneEffect]) -> [PhoneEffect] {
        var shown: [PhoneEffect] = []
        for effect in effects {
            switch effect {
            case .media(.activate(let call)) where strikes(): heldBack[call] = effect
            case .media(.release(let call)):
                shown.append(effect)
                if let late = heldBack.removeValue(forKey: call) { shown.append(late) }
            default: shown.append(effect)
            }
        }
        return shown
    }
}
