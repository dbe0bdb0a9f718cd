import Base

/// The checks of one ICE session: of one pair of credentials on each side (RFC 8445 §6 to §8, RFC 7675).
///
/// There is one component and one checklist. A value without a clock; `sent` holds what is to be sent, and its owner
/// empties it. It knows nothing of how candidates are gathered, and sends through bases that it has only names for.
struct ConnectivityChecks: Sendable {
    struct Packet: Equatable, Sendable {
        let bytes: [UInt8]
        let base: ICEBase
        let destination: TransportAddress
    }

    /// A check from a far end whose description has not come yet.
    struct EarlyCheck: Sendable {
        let base: ICEBase
        let source: TransportAddress
        let priority: UInt32
        let isNominating: Bool
    }

    let local: ICECredentials
    let hashes: STUNHashes
    var generator: any RandomNumberGenerator & Sendable
    private(set) var remote: ICECredentials?
    private(set) var isRemoteLite = false
    var role: ICERole
    var tieBreaker: UInt64

    var locals: [LocalCandidate] = []
    var remotes: [Candidate] = []
    var pairs: [CandidatePair] = []
    var nextPair = 0
    /// Pairs that are checked before all others (RFC 8445 §6.1.4.1).
    var triggered: [Int] = []
    var transactions: [CheckTransaction] = []
    var early: [EarlyCheck] = []
    /// The pair that is being nominated by us.
    var nominating: Int?
    var selected: Int?
    /// Until when nothing is given up; nil when it is over, or has not begun.
    private var patienceAt: Instant?
    private var isPatient = true
    var firstValidAt: Instant?
    var consentAt: Instant?
    var hasLostPath = false
    /// Whether the far end has been silent on the path for `ICETiming.doubt`.
    var isPathDoubtful = false
    /// Whether all candidates of ours are known, and all of the far end's.
    var isLocalComplete = false
    var isRemoteComplete = false

    /// Where proven checks came from, the newest at the end.
    var provenSources: [TransportAddress] = []
    /// Checks of other sources that prove nothing. To verify one takes some microseconds, and strangers can send many.
    var strangers = RateLimit(burst: 64, interval: .milliseconds(5))

    var sent: [Packet] = []
    var census = ICECensus()

    init(
        _ credentials: ICECredentials, role: ICERole, tieBreaker: UInt64, hashes: STUNHashes,
        generator: any RandomNumberGenerator & Sendable
    ) {
        (local, self.role, self.tieBreaker) = (credentials, role, tieBreaker)
        (self.hashes, self.generator) = (hashes, generator)
    }

    /// The far end's credentials are known: checks may begin.
    mutating func start(with description: RemoteDescription, at now: Instant) {
        remote = description.credentials
        isRemoteLite = description.isLite
        // One that only answers can nominate nothing (RFC 8445 §6.1.1).
        if isRemoteLite { become(.controlling) }
        isRemoteComplete = description.isComplete
        patienceAt = now + ICETiming.patience
        for check in early {
            trigger(check.base, check.source, check.priority, isNominating: check.isNominating, at: now)
        }
        early = []
    }

    /// RFC 8445 §7.2.5.1, §7.3.1.1: the priorities of all pairs depend on the role.
    mutating func become(_ role: ICERole) {
        guard role != self.role else { return }
        self.role = role
        nominating = nil
        for index in pairs.indices { setPriority(index) }
    }

    // MARK: What is known

    func index(of pair: Int) -> Int? { pairs.firstIndex { $0.id == pair } }

    /// The pair on which media are sent: the selected one, or until there is one the best that works (RFC 8445 §12.1).
    var path: CandidatePair? {
        if let selected, let index = index(of: selected) { return pairs[index] }
        return best
    }

    /// The valid pair of the highest priority.
    var best: CandidatePair? {
        pairs.lazy.filter { $0.state == .succeeded }.max { $0.priority < $1.priority }
    }

    var isNominated: Bool { selected != nil }

    /// Whether a packet from this address may be of the far end's media. The far end may know that a pair is valid before we
    /// do, and begin the DTLS handshake over it. So until there is a path, a check that came from there is enough.
    func isValid(_ base: ICEBase, _ source: TransportAddress) -> Bool {
        let hasPath = path != nil
        return pairs.contains { pair in
            pair.local.base == base && pair.remote.address == source
                && (pair.state == .succeeded || pair.isHeard && !hasPath)
        }
    }

    /// Whether nothing has worked, and nothing more will.
    var hasFailed: Bool { !isPatient && path == nil && !hasLostPath && pairs.allSatisfy { $0.state == .failed } }

    // MARK: Time

    /// Whether there is a check to be sent, when the pace allows it.
    var hasWork: Bool {
        guard remote != nil, !hasLostPath else { return false }
        return !triggered.isEmpty || (selected == nil && nextOrdinary != nil)
    }

    /// Everything but what the pace holds back.
    var deadline: Instant? {
        Instant.earliest(
            transactions.lazy.map(\.retransmission.deadline).min(), consentAt, consentExpiry, doubtAt, nominationAt,
            patienceAt)
    }

    /// All that is due, but for new checks.
    mutating func advance(to now: Instant) {
        repeatChecks(at: now)
        keepConsent(at: now)
        considerNomination(at: now)
        if let patienceAt, patienceAt <= now { (self.patienceAt, isPatient) = (nil, false) }
    }
}
