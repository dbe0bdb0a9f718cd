import Base
import PhoneCore

/// A change for the vault to keep.
enum VaultChange: Sendable {
    /// A change that the phone wants.
    case effect(VaultEffect)
    /// A line has learned more about its account's server.
    case trust(LineTrust, of: AccountID)
    /// The backend's record of this name. Nil removes it.
    case record(Redacted<[UInt8]>?, as: String, answer: @Sendable (Bool) -> Void)

    /// What the change is about, without a number or a name.
    var summary: String {
        switch self {
        case .effect(let effect): effect.summary
        case .trust: "what is known about an account's server"
        case .record: "the backend's record"
        }
    }

    /// Whether somebody waits for the result and decides what to do next. Such a change is not retried.
    var isAwaited: Bool {
        switch self {
        case .effect(let effect): effect.answer(isKept: false) != nil
        case .trust: false
        case .record: true
        }
    }

    /// Reports the result to the part that waits for it.
    func answer(isKept: Bool, _ post: (VaultEvent) -> Void) {
        switch self {
        case .effect(let effect): if let event = effect.answer(isKept: isKept) { post(event) }
        case .trust: break
        case .record(_, _, let answer): answer(isKept)
        }
    }
}
