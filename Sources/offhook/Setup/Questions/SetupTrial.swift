import PhoneCore

/// A real trial between the questions.
package enum SetupTrial: Hashable, Sendable {
    case route(Route)
    case ringer
    case account
    case call

    /// The question whose answer the trial checks.
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
