/// Why a request to the backend failed.
public enum BackendFailure: Error, Equatable, Codable, Sendable {
    /// The text names no organisation.
    case noOrganisation
    /// The backend could not be reached. The reason is a sentence part for people.
    case network(String)
    /// The backend refused the request: its status, and its sentence for people.
    case api(status: Int, text: String)
    case parse(BackendParseFault)
    case timeout
    /// The phone is not signed in, or the backend no longer accepts it.
    case signInNeeded
    /// A later request replaced it, or the user signed out.
    case abandoned

    /// The short name of the kind, for programs and metrics.
    public var kind: String {
        switch self {
        case .noOrganisation: "noOrganisation"
        case .network: "network"
        case .api: "api"
        case .parse: "parse"
        case .timeout: "timeout"
        case .signInNeeded: "signInNeeded"
        case .abandoned: "abandoned"
        }
    }

    /// For people.
    public var sentence: String {
        switch self {
        case .noOrganisation: "it names no organisation"
        case .network(let why): "the backend cannot be reached: \(why)"
        case .api(let status, ""): "the backend refused it (\(status))"
        case .api(let status, let text): "the backend refused it (\(status)): \(text)"
        case .parse(let fault): "the backend's answer is invalid: \(fault.sentence)"
        case .timeout: "the backend did not answer in time"
        case .signInNeeded: "the phone is not signed in"
        case .abandoned: "it was abandoned"
        }
    }

    /// Whether a later attempt may succeed without a person.
    var mayPass: Bool {
        switch self {
        case .network, .timeout, .parse: true
        case .api(let status, _): status >= 500 || status == 429 || status == 408
        case .noOrganisation, .signInNeeded, .abandoned: false
        }
    }
}

/// What is wrong with an answer: the member's name, with its path, and the problem.
public struct BackendParseFault: Error, Equatable, Codable, Sendable {
    public enum Problem: String, Equatable, Codable, Sendable {
        case missing = "is missing"
        case wrongType = "has a wrong type"
        case empty = "is empty"
        case tooLong = "is too long"
        case tooMany = "has too many elements"
        case characters = "has characters that it must not have"
        case unknownValue = "has an unknown value"
        case outOfRange = "is out of range"
        case mismatch = "differs from what was asked for"
        case insecure = "is not an https address"
        case notJSON = "is not JSON"
        case notHTTP = "is not HTTP"
    }

    /// Empty: the answer as a whole.
    public let key: String
    public let problem: Problem

    public init(_ key: String, _ problem: Problem) { (self.key, self.problem) = (key, problem) }

    public var sentence: String { (key.isEmpty ? "the answer" : "`\(key)`") + " \(problem.rawValue)" }
}

/// Why a sign-in failed.
public enum DeviceGrantFailure: Error, Equatable, Codable, Sendable {
    case cancelled
    /// The user refused at the backend.
    case denied
    /// The code expired before the user decided.
    case expired
    case identity(IDTokenFault)
    case backend(BackendFailure)

    /// For people.
    public var sentence: String {
        switch self {
        case .cancelled: "the sign-in was cancelled"
        case .denied: "the sign-in was refused at the backend"
        case .expired: "the code expired before anybody confirmed it"
        case .identity(let fault): "the ID token is not accepted: \(fault.sentence)"
        case .backend(let failure): failure.sentence
        }
    }
}

/// Why the phone has to be signed in again.
public enum SignInReason: String, Equatable, Codable, Sendable {
    case deviceTokenRefused = "the backend no longer accepts this phone"
    case accessTokenRefused = "the backend refuses a new access token of this phone"
    case otherBackend = "the phone is signed in at another backend than the configured one"
}
