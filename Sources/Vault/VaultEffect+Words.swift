import PhoneCore

extension VaultEffect {
    /// What the effect is about, without a number or a name.
    var summary: String {
        switch self {
        case .persist: "the call that is up"
        case .clearPersisted: "the end of the call that was up"
        case .addHistory: "a call for the history"
        case .missedCallsSeen: "that missed calls were seen"
        case .keep: "the phone's settings"
        case .keepContext: "the organisation"
        }
    }

    /// What the phone waits to be told; nil for what it does not wait for.
    func answer(isKept: Bool) -> VaultEvent? {
        switch self {
        case .keepContext(_, let ticket): .contextKept(ticket: ticket, isKept)
        case .persist, .clearPersisted, .addHistory, .missedCallsSeen, .keep: nil
        }
    }
}
