import Base
import PhoneCore

/// What one stimulus brings about in one situation.
public struct Outcome: Equatable, Sendable {
    public typealias Phase = CallSummary.Phase

    public let situation: Situation
    public let stimulus: Stimulus
    public let before: Phase
    public let after: Phase
    /// What the machine did, in short words.
    public let deeds: [String]
    /// What became of that which the stimulus itself asked, as far as it is settled.
    public let answers: [ActionOutcome]

    public var changesNothing: Bool { before == after && deeds.isEmpty }

    /// Why it was refused, if that is all that happened.
    public var refusal: ActionFailure? {
        guard changesNothing, answers.count == 1, case .failed(let failure) = answers[0] else { return nil }
        return failure
    }
}
