import Base
import Panel
import PhoneCore

/// People and programs at the phones.
extension Simulation {
    mutating func live(_ matter: Happening) {
        switch matter {
        case .wish:
            wish(again: .wish, mean: .seconds(60 / plan.callsPerMinute))
            wantToCall(fate.int(in: 0...phones.count - 1))
        case .look(let index): look(index)
        case .deed(let index, let act): carryOut(act, of: index)
        case .rogue:
            wish(again: .rogue, mean: plan.roguePause)
            let index = fate.int(in: 0...phones.count - 1)
            guard !isQuiet, let shown = phones[index].process?.shown else { return }
            let request = plan.hasBackend ? signIns.request() : nil
            carryOut(.ask(request ?? people[index].rogue(shown)), of: index)
        default: return
        }
    }

    private mutating func wantToCall(_ index: Int) {
        guard !isQuiet, let shown = phones[index].process?.shown else { return }
        plan(people[index].call(shown, isLifted: phones[index].panel.isLifted), of: index)
    }

    private mutating func look(_ index: Int) {
        guard looks[index] == now else { return }
        looks[index] = nil
        guard !isQuiet, let shown = phones[index].process?.shown else { return }
        let (deeds, again) = people[index].look(shown, isLifted: phones[index].panel.isLifted, at: now)
        plan(deeds, of: index)
        if let again { willLook(index, after: again) }
    }

    mutating func plan(_ deeds: [Person.Deed], of index: Int) {
        for deed in deeds { agenda.add(.deed(index, deed.act), at: now + deed.after) }
    }

    private mutating func carryOut(_ act: Person.Act, of index: Int) {
        guard !isQuiet || act.isLetGo else { return }
        chronicle.add(.deed(index, act), at: now)
        switch act {
        case .hand(let stimulus):
            do throws(PanelError) {
                tellPanel(try phones[index].panel.apply(stimulus, at: now), index)
            } catch {
                preconditionFailure("a person moves what is not there: \(error)")
            }
            // A person who moves the handset sees the result.
            willLook(index, after: .seconds(2))
        case .ask(let request):
            guard let asked = phones[index].process?.asked else { return }
            phones[index].process?.asked = asked + 1
            tell(index, .request(ActionID(.control, asked + 1), request))
        }
    }

    /// A person who hears or sees something looks at it, sooner or later.
    mutating func notice(_ effects: [PhoneEffect], _ index: Int) {
        guard effects.contains(where: \.isNoticed) else { return }
        willLook(index, after: people[index].reaction())
    }

    mutating func willLook(_ index: Int, after: Duration) {
        let at = now + after
        if let planned = looks[index], planned <= at { return }
        looks[index] = at
        agenda.add(.look(index), at: at)
    }
}

extension Person.Act {
    /// A finger that leaves a key: in a quiet time no key is held forever.
    fileprivate var isLetGo: Bool {
        if case .hand(.release) = self { true } else { false }
    }
}

extension PhoneEffect {
    fileprivate var isNoticed: Bool {
        switch self {
        case .panel(.bell), .media(.tone): true
        case .control(.notice(let notice)):
            switch notice {
            case .callChanged, .callEnded: true
            default: false
            }
        default: false
        }
    }
}
