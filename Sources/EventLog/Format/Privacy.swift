/// What an event log hides. It never contains passwords and keys.
public enum Privacy: Sendable {
    /// Digits sent or received in calls are recorded too, and may include a PIN.
    case nothingHidden
    case digitsHidden
    /// Digits, numbers and names.
    case everybodyHidden

    /// What to replace. Nil: nothing.
    var hidden: Redaction.Hidden? {
        switch self {
        case .nothingHidden: nil
        case .digitsHidden: .digits
        case .everybodyHidden: .everybody
        }
    }
}
