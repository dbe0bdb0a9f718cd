import Base

/// The checks of one ICE session: of one pair of credentials on each side (RFC 8445 §6 to §8, RFC 7675).
///
/// There is one component and one checklist. A value without a clock; `sent` holds the packets to send, and the owner
/// empties it. Gathering is not its concern: it sends through bases, of which it has only the identifiers.
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
    /// The pair that we are nominating.
    var nominating: Int?
    var selected: Int?
    /// Until then the session cannot fail. Nil: the time is over, or has not begun.
    private var patienceAt: Instant?
    private var isPatient = true
    var firstValidAt: Instant?
    var consentAt: Instant?
    var hasLostPath = false
    /// Whether the far end has been silent on the path for `ICETiming.doubt`.
    var isPathDoubtful = false
    /// Whether all local candidates are known, and all of the far end's.
    var isLocalComplete = false
    var isRemoteComplete = false

    /// The sources of proven checks, the newest last.
    var provenSources: [TransportAddress] = []
    /// Limits checks from other sources without valid integrity. Verifying one takes microseconds, and strangers can
    /// send many.
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

    /// The far end's credentials are known, so checks may begin.
    mutating func start(with description: RemoteDescription, at now: Instant) {
        remote = description.credentials
        isRemoteLite = description.isLite
        // A far end that only answers cannot nominate (RFC 8445 §6.1.1).
        if isRemoteLite { become(.controlling) }
        isRemoteComplete = description.isComplete
        patienceAt = now + ICETiming.patience
        for check in early {
            trigger(check.base, check.source, check.priority, isNominating: check.isNominating, at: now)
        }
        early = []
    }

    /// Changes the role. The priorities of all pairs depend on it (RFC 8445 §7.2.5.1, §7.3.1.1).
    mutating func become(_ role: ICERole) {
        guard role != self.role else { return }
        self.role = role
        nominating = nil
        for index in pairs.indices { setPriority(index) }
    }

    // MARK: Derived values

    func index(of pair: Int) -> Int? { pairs.firstIndex { $0.id == pair } }

    /// The pair that carries media: the selected one, or the best valid one before a selection (RFC 8445 §12.1).
    var path: CandidatePair? {
        if let selected, let index = index(of: selected) { return pairs[index] }
        return best
    }

    /// The valid pair of the highest priority.
    var best: CandidatePair? {
        pairs.lazy.filter { $0.state == .succeeded }.max { $0.priority < $1.priority }
    }

    var isNominated: Bool { selected != nil }

    /// Whether a packet from this address may be the far end's media. The far end may know that a pair is valid before
    /// we do, and begin the DTLS handshake over it. So until there is a path, a check from that address suffices.
    func isValid(_ base: ICEBase, _ source: TransportAddress) -> Bool {
        let hasPath = path != nil
        return pairs.contains { pair in
            pair.local.base == base && pair.remote.address == source
                && (pair.state == .succeeded || pair.isHeard && !hasPath)
        }
    }

    /// Whether no pair has worked, and none will any more.
    var hasFailed: Bool { !isPatient && path == nil && !hasLostPath && pairs.allSatisfy { $0.state == .failed } }

    // MARK: Time

    /// Whether there is a check to send when the pace allows it.
    var hasWork: Bool {
        guard remote != nil, !hasLostPath else { return false }
        return !triggered.isEmpty || (selected == nil && nextOrdinary != nil)
    }

    /// The next deadline, except for work that the pace delays.
    var deadline: Instant? {
        Instant.earliest(
            transactions.lazy.map(\.retransmission.deadline).min(), consentAt, consentExpiry, doubtAt, nominationAt,
            patienceAt)
    }

    /// Does everything that is due, except new checks.
    mutating func advance(to now: Instant) {
        repeatChecks(at: now)
        keepConsent(at: now)
        considerNomination(at: now)
        if let patienceAt, patienceAt <= now { (self.patienceAt, isPatient) = (nil, false) }
    }
}

/// The controlling side nominates (RFC 8445 §6.1.1).
public enum ICERole: Equatable, Sendable {
    case controlling, controlled

    var other: ICERole { self == .controlling ? .controlled : .controlling }
}

/// A binding request to the far end that has no answer yet.
struct CheckTransaction: Sendable {
    enum Purpose: Equatable, Sendable { case check, nomination, consent }

    let id: STUNMessage.TransactionID
    let pair: Int
    let purpose: Purpose
    /// The role in which it was sent (RFC 8445 §7.2.5.1).
    let role: ICERole
    let bytes: [UInt8]
    var retransmission: STUNRetransmission
    /// Not repeated, and its timeout has no effect; an answer still counts (RFC 8445 §7.3.1.4).
    var isCancelled = false
}

/// The fault of a session's path.
enum PathTrouble: Int, Comparable, Sendable {
    case none
    /// The far end has not answered for a while.
    case doubted
    /// Nothing may be sent on it any more.
    case lost

    static func < (one: PathTrouble, other: PathTrouble) -> Bool { one.rawValue < other.rawValue }
}

extension ConnectivityChecks {
    /// A path that existed before both ends had agreed on it may be lost, too.
    var trouble: PathTrouble {
        if hasLostPath || firstValidAt != nil && path == nil { return .lost }
        return isPathDoubtful ? .doubted : .none
    }
}
