import Base
import PhoneCore

/// The backend's sign-in, the list of organisations and new credentials, with the faults of a real one: no answer, a
/// refusal, an answer that overtakes its cancellation. The phone's adapter keeps its record before it reports.
struct SignIns: Sendable {
    /// What the phone's adapter does for an answer.
    struct Answer: Sendable {
        let event: BackendEvent
        let after: Duration
        /// The adapter's record, which is on the disk before the event comes. Nil: it stays.
        var record: Record?
    }

    /// What the adapter has on the disk.
    struct Record: Sendable {
        let user: SignedInUser
        var context: OrganisationContext?
        /// It only replaces a record that is still there.
        var isRenewal = false
    }

    /// Separate dice: worlds without a backend stay unchanged.
    private var dice: Dice
    private var renewals = 0

    init(seed: UInt64) { dice = Dice(seed: seed, "sign-in") }

    static func user(_ number: String) -> SignedInUser {
        SignedInUser(subject: "sub-\(number)", name: "User \(number)")
    }

    mutating func answers(to effect: BackendEffect, of number: String, at now: Instant) -> [Answer] {
        switch effect {
        case .signIn: signIn(number, at: now)
        case .signOut:
            dice.chance(.answerIsForgotten) ? [] : [Answer(event: .signedOut, after: dice.pause(mean: .seconds(1)))]
        case .organisations: organisations()
        case .renewCredentials: credentials(number)
        case .cancelSignIn, .callerInfoVoid, .switchOrganisation, .worksFor, .credentialsKept: []
        }
    }

    private mutating func signIn(_ number: String, at now: Instant) -> [Answer] {
        guard !dice.chance(.answerIsForgotten) else { return [] }
        let soon = dice.pause(mean: .seconds(1))
        guard !dice.chance(.signInIsRefused) else {
            return [Answer(event: .signInFailed(.api(503, "later")), after: soon)]
        }
        let code = SignInCode(
            code: "CODE-\(number)", address: "https://id.example/device", until: now + soon + .seconds(50))
        let shown = Answer(event: .signInCode(code), after: soon)
        // The person may also come when the code has expired, or never.
        let later = soon + dice.duration(in: .seconds(1) ... .seconds(60))
        guard !dice.chance(.personNeverComes) else { return [shown] }
        guard !dice.chance(.signInIsRefused) else {
            return [shown, Answer(event: .signInFailed(.denied), after: later)]
        }
        let context = Backend.context(for: Backend.home, user: number)
        let signedIn = Answer(
            event: .signedIn(Self.user(number), context), after: later,
            record: Record(user: Self.user(number), context: context))
        return [shown, signedIn] + renewal(of: context, number, after: later)
    }

    private mutating func credentials(_ number: String) -> [Answer] {
        guard !dice.chance(.answerIsForgotten) else { return [] }
        let context = Backend.context(for: Backend.home, user: number)
        return [Answer(event: .credentialsRenewed(context), after: dice.pause(mean: .seconds(1)))]
    }

    private mutating func organisations() -> [Answer] {
        guard !dice.chance(.answerIsForgotten) else { return [] }
        let after = dice.pause(mean: .seconds(1))
        guard !dice.chance(.signInIsRefused) else { return [Answer(event: .organisationsFailed(.parse), after: after)] }
        let list = [Backend.home, Backend.other].map { KnownOrganisation($0) }
        return [Answer(event: .organisations(list), after: after)]
    }

    /// New credentials, some time after a start or a sign-in.
    mutating func renewal(of context: OrganisationContext?, _ number: String, after: Duration) -> [Answer] {
        guard var renewed = context, dice.chance(.credentialsAreRenewed) else { return [] }
        renewals += 1
        renewed.credentials.callerName = "Desk \(renewals)"
        let at = after + dice.duration(in: .seconds(1) ... .seconds(200))
        return [
            Answer(
                event: .credentialsRenewed(renewed), after: at,
                record: Record(user: Self.user(number), context: renewed, isRenewal: true))
        ]
    }

    /// Whether the backend has forgotten the phone.
    mutating func forgets() -> Bool { dice.chance(.backendForgetsThePhone) }

    /// A random request of a program about the backend; nil: it asks for something else.
    mutating func request() -> Request? {
        guard dice.chance(.asksTheBackend) else { return nil }
        return dice.pick([.signIn, .signIn, .cancelSignIn, .signOut, .organisations])
    }
}
