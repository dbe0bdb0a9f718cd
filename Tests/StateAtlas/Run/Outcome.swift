import Base
import PhoneCore

/// The effect of one stimulus in one situation.
public struct Outcome: Equatable, Sendable {
    public typealias Phase = CallSummary.Phase

    public let situation: Situation
    public let stimulus: Stimulus
    public let before: Phase
    public let after: Phase
    /// The effects of the machine, as short phrases.
    public let deeds: [String]
    /// The results of the stimulus's own requests that are settled.
    public let answers: [ActionOutcome]

    public var changesNothing: Bool { before == after && deeds.isEmpty }

    /// The reason of a rejection, if nothing else happened.
    public var refusal: ActionFailure? {
        guard changesNothing, answers.count == 1, case .failed(let failure) = answers[0] else { return nil }
        return failure
    }
}
