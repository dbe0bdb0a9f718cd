/// What a recording does not tell. Passwords and keys are in none.
public enum Privacy: Sendable {
    /// Digits that are sent or received in calls are told, too, and a PIN may be among them.
    case nothingHidden
    case digitsHidden
    /// Digits, numbers and names.
    case everybodyHidden

    /// What is replaced; nil: nothing is.
    var hidden: Redaction.Hidden? {
        switch self {
        case .nothingHidden: nil
        case .digitsHidden: .digits
        case .everybodyHidden: .everybody
        }
    }
}
