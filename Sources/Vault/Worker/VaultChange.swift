import PhoneCore

/// A change that the vault keeps.
enum VaultChange: Sendable {
    /// A change that the phone wants.
    case effect(VaultEffect)
    /// A line has learned more of its account's server.
    case trust(LineTrust, of: AccountID)

    /// What the change is about, without a number or a name.
    var summary: String {
        switch self {
        case .effect(let effect): effect.summary
        case .trust: "what is known of an account's server"
        }
    }

    /// The event that the phone waits for after this change; nil if it waits for none.
    func answer(isKept: Bool) -> VaultEvent? {
        switch self {
        case .effect(let effect): effect.answer(isKept: isKept)
        case .trust: nil
        }
    }
}
