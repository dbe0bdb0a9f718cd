import Base

/// The user who has signed the phone in, as the identity provider describes them.
public struct SignedInUser: Equatable, Codable, Sendable {
    /// The user's identity, which never changes.
    public var subject: String
    public var name: String?
    public var email: String?

    public init(subject: String, name: String? = nil, email: String? = nil) {
        self.subject = subject
        self.name = name
        self.email = email
    }

    /// The user for people: the name, else the e-mail address, else the identity.
    public var shown: String { name ?? email ?? subject }
}

/// The code with which a person signs the phone in on another device (RFC 8628 §3.3).
public struct SignInCode: Equatable, Codable, Sendable {
    public var code: String
    /// Where the person enters the code.
    public var address: String
    /// The address that already contains the code. Nil: the backend gave none.
    public var completeAddress: String?
    /// When the code expires.
    public var until: Instant

    public init(code: String, address: String, completeAddress: String? = nil, until: Instant) {
        self.code = code
        self.address = address
        self.completeAddress = completeAddress
        self.until = until
    }
}

/// Why a sign-in failed. The texts are for people.
public enum SignInFailure: Error, Equatable, Codable, Sendable {
    /// A person or a program at this phone gave it up.
    case cancelled
    /// The user refused at the backend.
    case denied
    /// Nobody confirmed the code in time.
    case expired
    /// The ID token is not acceptable.
    case identity(String)
    case network(String)
    /// The backend's status, and its text. Nil: it gave none.
    case api(Int, String? = nil)
    case parse(String)
    case timeout
    /// The vault could not keep the sign-in.
    case credentialStore
    /// Without the time, neither certificates nor identities can be judged.
    case clockNotSet
}

/// Why the phone has to be signed in again.
public enum SignInNeed: String, CaseIterable, Codable, Sendable {
    /// The backend no longer accepts the phone's device token.
    case deviceTokenRefused
    /// The backend refuses access tokens that it has just issued.
    case accessTokenRefused
    /// The vault's record of the sign-in cannot be used.
    case recordUnusable
}

/// The state of the sign-in, for programs.
public enum SignInStatus: Equatable, Codable, Sendable {
    /// The backend was asked for a code.
    case asking
    /// A code waits for a person.
    case waiting(SignInCode)
    case signedIn(SignedInUser)
    /// The phone was signed in, and has to be signed in again. Nil: the former user is not known.
    case needed(SignInNeed, SignedInUser?)
    case signingOut
}

public enum BackendEffect: Equatable, Codable, Sendable {
    /// Begin a sign-in; answered by `signInCode` or `signInFailed`, and later by `signedIn` or `signInFailed`.
    case signIn
    /// Give up the sign-in. Not answered.
    case cancelSignIn
    /// End the sign-in at the backend, and forget its tokens; answered by `signedOut`.
    case signOut
    /// List the user's organisations; answered by `organisations` or `organisationsFailed`.
    case organisations
    /// Ask for the credentials of another organisation; answered by `switched` or `switchFailed`.
    case switchOrganisation(OrganisationID)
    /// The phone works for this organisation, although the backend may believe that it works for another one: a change
    /// failed, or the phone has just started. Not answered.
    case worksFor(OrganisationID)
    /// The vault has the newest credentials of this organisation. Not answered.
    case credentialsKept(OrganisationID)
    /// Ask for new credentials of the organisation for which the backend knows the phone, because the vault has none;
    /// answered by `credentialsRenewed`, or not at all.
    case renewCredentials
    /// The broker of caller info refused the phone's registration. The text says why. Not answered.
    case callerInfoVoid(String)
}

public enum BackendEvent: Equatable, Codable, Sendable {
    /// A former run was signed in. Sent once, after the start.
    /// - Parameter context: The newest credentials that the backend gave for any organisation.
    case restored(SignedInUser, OrganisationContext?)
    /// The code of the sign-in that is under way. A later one replaces it.
    case signInCode(SignInCode)
    /// The sign-in goes on as soon as the machine knows the time.
    case signInWaitsForTime
    case signInFailed(SignInFailure)
    /// The sign-in is complete, and its tokens are on the disk.
    /// - Parameter context: The default organisation with its credentials. Nil: the backend gave no credentials.
    case signedIn(SignedInUser, OrganisationContext?)
    /// The backend has ended the sign-in, or cannot be reached for that. Its tokens are forgotten.
    case signedOut
    /// The backend no longer accepts the phone.
    case signInNeeded(SignInNeed)
    case organisations([KnownOrganisation])
    case organisationsFailed(SwitchFailure)
    case switched(OrganisationContext)
    case switchFailed(SwitchFailure)
    /// The current organisation has new credentials; the former ones may be invalid already.
    case credentialsRenewed(OrganisationContext)
    /// The credentials become invalid in so many days, and could not be renewed so far.
    case credentialsExpiring(days: Int)
}

extension SignInCode {
    /// RFC 8628 §6.1 advises short codes; a display shows 16 to 21 characters.
    static let longestCode = 32
    static let longestAddress = 1_024
    /// The longest time that a code is shown.
    static let longestTime = Duration.seconds(3_600)

    /// The code as it is shown. Nil: a part is empty or too long; a shortened code or address would be another one.
    func shown(at now: Instant) -> SignInCode? {
        let isWhole =
            (1...Self.longestCode).contains(code.utf8.count) && code.shown(bytes: Self.longestCode) == code
            && Self.isAddress(address)
        guard isWhole else { return nil }
        var code = self
        if let complete = completeAddress, !Self.isAddress(complete) { code.completeAddress = nil }
        code.until = min(until, now + Self.longestTime)
        return code
    }

    private static func isAddress(_ text: String) -> Bool {
        (1...longestAddress).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }

    /// The address without what a person need not read on a small display.
    var shortAddress: String {
        for scheme in ["https://", "http://"] where address.hasPrefix(scheme) {
            return String(address.dropFirst(scheme.count))
        }
        return address
    }
}

extension SignedInUser {
    static let longestSubject = 255
    static let longestName = 128
    static let longestEmail = 254

    /// Without control characters, and shortened.
    var bounded: SignedInUser {
        SignedInUser(
            subject: subject.shown(bytes: Self.longestSubject), name: name?.shown(bytes: Self.longestName),
            email: email?.shown(bytes: Self.longestEmail))
    }
}

extension KnownOrganisation {
    static let longestList = 100
    static let longestName = 128
    static let longestID = 64

    /// Without control characters, and shortened. Nil: the identifier is too long, and a shortened one would be another.
    func bounded(current: OrganisationID?) -> KnownOrganisation? {
        guard (1...Self.longestID).contains(organisation.id.rawValue.utf8.count) else { return nil }
        let shown = Organisation(
            id: organisation.id, name: organisation.name.shown(bytes: Self.longestName),
            slug: organisation.slug?.shown(bytes: Self.longestName))
        return KnownOrganisation(
            shown, channel: channel?.shown(bytes: Self.longestID), isDefault: isDefault,
            isCurrent: organisation.id == current)
    }
}

extension SwitchFailure {
    /// The longest text of a backend, in bytes.
    static let longestText = 200

    /// With the backend's text shortened and without control characters.
    var bounded: SwitchFailure {
        guard case .api(let status, let text) = self else { return self }
        return .api(status, text.map { $0.shown(bytes: Self.longestText) }.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension SignInFailure {
    /// With its text shortened and without control characters.
    var bounded: SignInFailure {
        let longest = SwitchFailure.longestText
        return switch self {
        case .cancelled, .denied, .expired, .timeout, .credentialStore, .clockNotSet: self
        case .identity(let text): .identity(text.shown(bytes: longest))
        case .network(let text): .network(text.shown(bytes: longest))
        case .parse(let text): .parse(text.shown(bytes: longest))
        case .api(let status, let text):
            .api(status, text.map { $0.shown(bytes: longest) }.flatMap { $0.isEmpty ? nil : $0 })
        }
    }
}

extension SignInFailure {
    /// For people.
    public var sentence: String {
        switch self {
        case .cancelled: "the sign-in was cancelled"
        case .denied: "the user refused at the backend"
        case .expired: "nobody confirmed the code in time"
        case .identity(let text): "the identity is not acceptable: \(text)"
        case .network(let text): "the backend cannot be reached: \(text)"
        case .api(let status, let text): "the backend refused it (\(status))" + (text.map { ": \($0)" } ?? "")
        case .parse(let text): "the backend's answer is not usable: \(text)"
        case .timeout: "the backend did not answer in time"
        case .credentialStore: "the vault did not keep the sign-in"
        case .clockNotSet: "the phone does not know the time yet; the sign-in goes on as soon as it does"
        }
    }
}

extension SignInNeed {
    /// For people.
    public var sentence: String {
        switch self {
        case .deviceTokenRefused: "the backend no longer accepts this phone"
        case .accessTokenRefused: "the backend refuses the tokens that it gives this phone"
        case .recordUnusable: "the vault's record of the sign-in cannot be used"
        }
    }
}
