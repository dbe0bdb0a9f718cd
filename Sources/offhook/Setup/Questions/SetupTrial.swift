import PhoneCore

/// What is tried for real between the questions.
package enum SetupTrial: Hashable, Sendable {
    case route(Route)
    case ringer
    case account
    case call

    /// The question whose answer is tried.
    package var key: SetupKey {
        switch self {
        case .route(.speaker): .speaker
        case .route(.headset): .headset
        case .route(.handset), .route(.bluetooth): .handset
        case .ringer: .ringer
        case .account: .account
        case .call: .testCall
        }
    }
}
