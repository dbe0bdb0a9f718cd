import Base
import PhoneCore

/// The effect of one stimulus in one situation.
public struct Outcome: Equatable, Sendable {
    public typealias Phase = CallSummary.Phase

    public let situation: Situation
    public let stimulus: Stimulus
    public let before: Phase
    public let after: Phase
    /// The machine's effects, in short words.
    public let deeds: [String]
    /// The outcome of the stimulus's own request, as far as it is settled.
    public let answers: [ActionOutcome]

    public var changesNothing: Bool { before == after && deeds.isEmpty }

    /// The reason of a refusal, if that is all that happened.
    public var refusal: ActionFailure? {
        guard changesNothing, answers.count == 1, case .failed(let failure) = answers[0] else { return nil }
        return failure
    }
}
