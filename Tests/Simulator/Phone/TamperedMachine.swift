import Base
import PhoneCore

/// The phone's machine, as it is or with a bug around it. No switch of this is in the machine itself.
struct TamperedMachine: Sendable {
    /// What really happened, and what the world is shown of it.
    typealias Effects = (real: [PhoneEffect], shown: [PhoneEffect])

    private(set) var real: PhoneMachine
    private let bug: PlantedBug?
    private var heldBack: [CallID: PhoneEffect] = [:]
    private var hidesDeadline = false
    private var count = 0

    init(_ machine: PhoneMachine, bug: PlantedBug?) { (real, self.bug) = (machine, bug) }

    var deadline: Instant? { hidesDeadline ? nil : real.deadline }

    var snapshot: PhoneSnapshot { real.snapshot }

    mutating func handle(_ event: PhoneEvent, at now: Instant) -> Effects {
        let effects = real.handle(event, at: now)
        guard let bug else { return (effects, effects) }
        return (effects, tamper(effects, event, bug))
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
            return effects.filter { $0 != .panel(.ringer(nil)) && $0 != .media(.ring(nil)) }
        case .lostDeadline:
            hidesDeadline = false
            if case .line(.offered) = event { hidesDeadline = strikes() }
            return effects
        case .believesAddress, .believesDialog, .believesBranch, .weakProof, .followsReferral: return effects
        }
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
