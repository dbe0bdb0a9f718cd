import Base

/// What the phone knows of its backend, besides the current organisation.
struct BackendView: Equatable, Codable, Sendable {
    /// The requests for the list of organisations that wait for the backend.
    struct Listing: Equatable, Codable, Sendable {
        /// More requests than programs have at a time are refused.
        static let longest = 16

        var actions: [ActionID]
        let until: Instant
    }

    var signIn = SignIn.none
    /// The user's organisations, as the backend listed them last.
    var organisations: [KnownOrganisation] = []
    var listing: Listing?
    var adoption: ContextAdoption?
    /// In how many days the credentials become invalid. Nil: not soon.
    var expiresInDays: Int?
    /// Why the broker of caller info refused the registration that the backend gave. It is reported once.
    var voidReason: String?
    /// Whether the vault's data of former runs has come.
    var isMemoryRead = false

    /// The unsettled actions, with their deadlines.
    var pendingActions: [(id: ActionID, due: Instant)] {
        let listed = listing.map { listing in listing.actions.map { (id: $0, due: listing.until) } } ?? []
        return signIn.action.map { [$0] + listed } ?? listed
    }
}

/// The sign-in at the backend.
///
/// ```
///           signIn             code                 done
///   none ────────────► asking ──────► showing ──────────────► signedIn ────► signingOut ────► none
///   needed ──────────►   │               │                        │              ▲
///     ▲ ▲  failed, expired, cancelled    │                        │              │
///     │ └────────────────┴───────────────┘ (none without a        │              │
///     │                                     former sign-in)       │              │
///     └───────────────────────────────────────────────────────────┴──────────────┘ needed signs out, too
///                     the backend no longer accepts the phone
///
///   asking ────────────► awaitingTime ──────► showing
///          no clock yet                code
/// ```
enum SignIn: Equatable, Codable, Sendable {
    /// A sign-in that the backend no longer accepts.
    struct Former: Equatable, Codable, Sendable {
        var need: SignInNeed
        var user: SignedInUser?
    }

    case none
    /// The backend was asked for a code.
    case asking(ActionID, until: Instant, former: Former?)
    /// Without the time no certificate is valid. The backend is asked as soon as the machine knows it.
    case awaitingTime(former: Former?)
    /// A person has to enter the code on another device.
    case showing(SignInCode, former: Former?)
    case signedIn(SignedInUser)
    case needed(Former)
    /// The backend was asked to end the sign-in.
    case signingOut(ActionID, until: Instant)

    var due: Instant? {
        switch self {
        case .none, .awaitingTime, .signedIn, .needed: nil
        case .asking(_, let until, _), .signingOut(_, let until): until
        case .showing(let code, _): code.until
        }
    }

    /// The action that is not settled yet, with its deadline.
    var action: (id: ActionID, due: Instant)? {
        switch self {
        case .none, .awaitingTime, .showing, .signedIn, .needed: nil
        case .asking(let id, let until, _), .signingOut(let id, let until): (id, until)
        }
    }

    var code: SignInCode? {
        switch self {
        case .showing(let code, _): code
        case .none, .asking, .awaitingTime, .signedIn, .needed, .signingOut: nil
        }
    }

    /// Whether a person has to sign the phone in again.
    var isNeeded: Bool {
        switch self {
        case .asking(_, _, let former), .awaitingTime(let former), .showing(_, let former): former != nil
        case .needed: true
        case .none, .signedIn, .signingOut: false
        }
    }

    /// Nil: the phone is not signed in.
    var status: SignInStatus? {
        switch self {
        case .none: nil
        case .asking, .awaitingTime: .asking
        case .showing(let code, _): .waiting(code)
        case .signedIn(let user): .signedIn(user)
        case .needed(let former): .needed(former.need, former.user)
        case .signingOut: .signingOut
        }
    }

    /// The state after a sign-in that failed.
    static func after(_ former: Former?) -> SignIn { former.map { .needed($0) } ?? .none }
}

/// A context that the backend gave outside a change of organisation.
enum ContextAdoption: Equatable, Codable, Sendable {
    enum Cause: Equatable, Codable, Sendable { case signIn, renewal, restoration }

    /// It waits until a change of organisation is over, or the vault's data has come.
    case waiting(OrganisationContext, Cause)
    /// It is the phone's context, and in the vault. Its line registers with it when no call uses that line.
    case taken(OrganisationContext)
}
