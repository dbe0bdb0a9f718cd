import Base

/// What the backend's side of the phone tells the program.
public enum BackendNotice: Equatable, Sendable {
    // Sign-in.
    /// The phone's clock is not set, so certificates and ID tokens cannot be judged yet.
    case signInWaitsForTime
    case signInCode(DeviceCode)
    /// Accounts and push registration of a former sign-in are void.
    case signedIn(BackendSignIn)
    case signInFailed(DeviceGrantFailure)
    case signInNeeded(SignInReason)
    /// - Parameter isDeleted: Whether the backend confirmed that it forgot the phone.
    case signedOut(isDeleted: Bool)

    // Organisations.
    case organisations([BackendOrganisation], current: BackendOrganisation)
    case organisationsFailed(BackendFailure)
    /// - Parameter target: As it was asked for.
    case switched(BackendCredentials, target: String)
    case switchFailed(BackendFailure, target: String)

    // Credentials and caller info.
    case credentialsRenewed(BackendCredentials)
    case credentialsNotRenewed(BackendFailure)
    /// They have to be renewed, and the renewal fails.
    /// - Parameter at: When they end, in seconds since 1970. Nil: they are only too old.
    case credentialsExpiring(at: Int64?, BackendFailure)
    /// Nil: the phone has no registration for caller info.
    case pushRegistration(BackendPush?)
    case pushNotRegistered(BackendFailure)
}

/// What a person needs to confirm the sign-in on another device.
public struct DeviceCode: Equatable, Codable, Sendable {
    public let userCode: String
    public let address: String
    /// The address that already contains the code: for a QR code.
    public let completeAddress: String?
    public let expiresIn: Duration

    public init(userCode: String, address: String, completeAddress: String?, expiresIn: Duration) {
        (self.userCode, self.address) = (userCode, address)
        (self.completeAddress, self.expiresIn) = (completeAddress, expiresIn)
    }
}

public struct BackendSignIn: Equatable, Codable, Sendable {
    public let person: BackendPerson
    public let organisation: BackendOrganisation
    public let credentials: BackendCredentials?
    public let push: BackendPush?
}

/// Counts since the start.
public struct BackendStatistics: Equatable, Sendable {
    public var requests = 0
    /// Failed requests by the kind of failure.
    public var failures: [String: Int] = [:]
    /// Answers to requests that were given up.
    public var lateAnswers = 0
    public var accessTokens = 0
    public var signIns = 0
    public var switches = 0
    public var failedSwitches = 0
    public var credentialRenewals = 0

    public init() {}
}
