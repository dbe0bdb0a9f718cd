import Base
import PhoneCore

/// One situation, from which every stimulus starts again.
struct Trial {
    private let situation: Situation
    private let start: Stage
    private let narrator: Narrator

    init(_ situation: Situation) {
        self.situation = situation
        var stage = Stage()
        var asked: [ActionID: String] = [:]
        for event in situation.events {
            _ = stage.take(event)
            if case .request(let id, _) = event { asked[id] = Stimulus(event).nameAfterColon }
        }
        for (index, name) in situation.askedAtPanel.enumerated() { asked[ActionID(.panel, UInt64(index + 1))] = name }
        start = stage
        narrator = Narrator(asked: asked)
    }

    var phase: Outcome.Phase { start.call?.phase ?? .idle }

    /// The call's phase in the machine, and its reported phase.
    var subject: Subject { Subject(start.call?.call, at: start.now) }

    func run() -> [Outcome] {
        subject.representatives.map { event in
            let stimulus = Stimulus(event)
            return stimulus == .time ? letTimePass() : outcome(stimulus, event)
        }
    }

    private func outcome(_ stimulus: Stimulus, _ event: PhoneEvent) -> Outcome {
        var stage = start
        let effects = stage.take(event)
        let call = start.call?.call ?? firstCall(in: effects)
        let after = phase(of: call, stage, effects)
        let told = narrator.tell(effects, about: names(of: call), stays: after == phase)
        return Outcome(
            situation: situation, stimulus: stimulus, before: phase, after: after, deeds: told.deeds,
            answers: told.answers)
    }

    /// No input comes until the call is in another phase, or nothing more happens.
    private func letTimePass() -> Outcome {
        var stage = start
        var (after, steps) = (phase, [String]())
        while after == phase, let effects = stage.nextDeadline() {
            after = phase(of: start.call?.call, stage, effects)
            let told = narrator.tell(effects, about: names(of: start.call?.call), stays: after == phase)
            let deeds = told.deeds + told.answers.map(\.words)
            guard !deeds.isEmpty || after != phase else { continue }
            steps.append("after \(words(stage.now - start.now)): " + deeds.joined(separator: ", "))
        }
        return Outcome(
            situation: situation, stimulus: .time, before: phase, after: after,
            deeds: steps.isEmpty ? [] : [steps.joined(separator: "; ")], answers: [])
    }

    private func phase(of call: CallID?, _ stage: Stage, _ effects: [PhoneEffect]) -> Outcome.Phase {
        guard let call else { return .idle }
        if let present = stage.machine.snapshot.calls.first(where: { $0.call == call }) { return present.phase }
        let ends = effects.compactMap { effect -> Outcome.Phase? in
            if case .control(.notice(.callEnded(let summary, _))) = effect, summary.call == call {
                summary.phase
            } else {
                nil
            }
        }
        precondition(ends.count == 1, "a missing call has ended, once")
        return ends[0]
    }

    private func names(of call: CallID?) -> [CallID] {
        call.map { [$0, Subject($0, at: start.now).leg] } ?? []
    }

    private func firstCall(in effects: [PhoneEffect]) -> CallID? {
        effects.lazy.compactMap { effect in
            switch effect {
            case .control(.notice(.callChanged(let summary))), .control(.notice(.callEnded(let summary, _))):
                summary.call
            case .panel, .line, .media, .vault, .callerInfo, .backend, .control, .display, .stopped: nil
            }
        }.first
    }

    private func words(_ time: Duration) -> String {
        let tenths = time.nanoseconds / 100_000_000
        if tenths >= 600 && tenths % 600 == 0 { return "\(tenths / 600) min" }
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
