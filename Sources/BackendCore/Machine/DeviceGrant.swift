import Base

/// The state of a sign-in: of a device authorization grant (RFC 8628 §3).
enum DeviceGrant: Equatable, Sendable {
    /// No sign-in.
    case none
    /// The phone's clock is not set.
    case waitingForTime(nextLook: Instant)
    case discovering
    case authorising(ProviderEndpoints)
    case pausing(Polling, until: Instant)
    case polling(Polling)
    /// The user confirmed. The step's request is open, or waits for its next attempt.
    case confirmed(Confirmation, Confirmation.Step)

    struct Polling: Equatable, Sendable {
        let endpoints: ProviderEndpoints
        let authorisation: DeviceAuthorisation
        let expiresAt: Instant
        var interval: Duration
        /// Consecutive polls without an answer.
        var failures = 0
    }

    /// A sign-in with tokens.
    struct Confirmation: Equatable, Sendable {
        enum Step: Equatable, Sendable {
            case fetchingKeys
            case verifying(BackendRequestID)
            case registering
            /// Fetches the keys again (`true`) or registers again, after a failure that may pass.
            case retrying(keys: Bool, at: Instant)
        }

        let endpoints: ProviderEndpoints
        let tokens: SignInTokens
        let token: IDToken
        /// Whether the keys were fetched for this token.
        var hasFetchedKeys = false
        var failures = 0
    }

    var deadline: Instant? {
        switch self {
        case .none, .discovering, .authorising, .polling: nil
        case .waitingForTime(let nextLook): nextLook
        case .pausing(_, let until): until
        case .confirmed(_, .retrying(_, let at)): at
        case .confirmed(_, .fetchingKeys), .confirmed(_, .verifying), .confirmed(_, .registering): nil
        }
    }
}

/// A token of a sign-in that has to be revoked (RFC 7009).
struct Revocation: Equatable, Sendable {
    let endpoint: BackendURL
    let token: Redacted<String>
    let hint: String
}

/// What a display shows of a sign-in.
public enum DeviceGrantStatus: Equatable, Sendable {
    case none, waitingForTime, starting
    case waitingForUser(DeviceCode)
    case finishing
}
