/// What an event log hides. Passwords and keys are never recorded.
public enum Privacy: Sendable {
    /// Digits that are sent or received in calls are recorded too, and a PIN may be among them.
    case nothingHidden
    case digitsHidden
    /// Digits, numbers and names.
    case everybodyHidden

    /// What is replaced. Nil: nothing.
    var hidden: Redaction.Hidden? {
        switch self {
        case .nothingHidden: nil
        case .digitsHidden: .digits
        case .everybodyHidden: .everybody
        }
    }
}
