import PhoneCore

/// A change for the vault to keep.
enum VaultChange: Sendable {
    /// A change that the phone wants.
    case effect(VaultEffect)
    /// A line has learned more about its account's server.
    case trust(LineTrust, of: AccountID)

    /// What the change is about, without a number or a name.
    var summary: String {
        switch self {
        case .effect(let effect): effect.summary
        case .trust: "what is known about an account's server"
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
