import PhoneCore

/// Every stimulus in every situation, handled by the machine.
public struct Atlas: Sendable {
    public typealias Phase = CallSummary.Phase

    /// A change from one phase to another.
    public struct Transition: Hashable, Sendable {
        public let from: Phase
        public let to: Phase

        public init(_ from: Phase, _ to: Phase) {
            self.from = from
            self.to = to
        }
    }

    /// Situation by situation, and in each stimulus by stimulus.
    public let outcomes: [Outcome]

    public init() { outcomes = Situation.allCases.flatMap { Trial($0).run() } }

    public func outcomes(in situation: Situation) -> [Outcome] { outcomes.filter { $0.situation == situation } }

    public func outcomes(of stimulus: Stimulus, from phase: Phase) -> [Outcome] {
        outcomes.filter { $0.stimulus == stimulus && $0.before == phase }
    }

    /// The outcome of a stimulus if it is the same in every situation. Nil: it depends.
    public func everywhere(_ stimulus: Stimulus) -> Outcome? {
        let all = outcomes.filter { $0.stimulus == stimulus }
        let isSame = all.allSatisfy {
            $0.before == $0.after && $0.deeds == all[0].deeds && $0.answers == all[0].answers
        }
        return isSame ? all[0] : nil
    }

    /// The phases in which a call may rest, in the order of a call.
    public var restingPhases: [Phase] { Phase.allCases.filter { phase in outcomes.contains { $0.before == phase } } }

    /// The stimuli that bring a call from one phase to another, in their order.
    public var transitions: [Transition: [Stimulus]] {
        var found: [Transition: Set<Stimulus>] = [:]
        for outcome in outcomes where outcome.before != outcome.after {
            found[Transition(outcome.before, outcome.after), default: []].insert(outcome.stimulus)
        }
        return found.mapValues { stimuli in Stimulus.allCases.filter(stimuli.contains) }
    }
}
