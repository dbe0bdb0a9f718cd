import PhoneCore

extension VaultEffect {
    /// What the effect changes, without a number or a name.
    var summary: String {
        switch self {
        case .persist: "the call that is up"
        case .clearPersisted: "the end of the call that was up"
        case .persistRinging: "the call that rings"
        case .clearRinging: "the end of the call that rang"
        case .addHistory: "a call for the history"
        case .clearHistory: "the removal of the history"
        case .missedCallsSeen, .formerMissedCallSeen: "the seen missed calls"
        case .keep: "the phone's settings"
        case .keepKey: "a far end's key"
        case .forgetKey: "the removal of a far end's key"
        case .keepContext, .tryContext: "the organisation"
        case .forgetSignIn: "the end of the sign-in"
        }
    }

    /// The event that the phone waits for after this effect; nil if it waits for none.
    func answer(isKept: Bool) -> VaultEvent? {
        switch self {
        case .keepContext(_, let ticket), .tryContext(_, let ticket): .contextKept(ticket: ticket, isKept)
        case .persist, .clearPersisted, .persistRinging, .clearRinging, .addHistory, .clearHistory,
            .missedCallsSeen, .formerMissedCallSeen, .keep, .keepKey, .forgetKey, .forgetSignIn:
            nil
        }
    }
}
