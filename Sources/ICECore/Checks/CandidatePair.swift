import Base

/// One of our bases and one address of the far end (RFC 8445 §6.1.2).
///
///     frozen ──► waiting ──► inProgress ──► succeeded ──consent lost──► failed
///        └──────────┴──◄── triggered ◄──── failed
struct CandidatePair: Sendable {
    enum State: Equatable, Sendable { case frozen, waiting, inProgress, succeeded, failed }

    struct Foundation: Equatable, Sendable { let local: String, remote: String }

    let id: Int
    let local: LocalCandidate
    var remote: Candidate
    var state = State.frozen
    var priority: UInt64 = 0
    var isNominated = false
    /// Whether the far end nominated it before our own check has succeeded (RFC 8445 §7.3.1.5).
    var isToBeNominated = false
    /// Whether the far end has sent a proven check over the pair.
    var isHeard = false
    /// When the far end last consented to packets over this pair (RFC 7675).
    var consentedAt: Instant?
    /// Our address as the far end sees it on this pair. Its kind shows the type of path.
    var mapped: Candidate?

    var foundation: Foundation { Foundation(local: local.candidate.foundation, remote: remote.foundation) }
    var isRelayed: Bool { local.candidate.kind == .relayed || remote.kind == .relayed }

    /// RFC 8445 §6.1.2.3.
    static func priority(_ local: UInt32, _ remote: UInt32, isControlling: Bool) -> UInt64 {
        let (controlling, controlled) = isControlling ? (local, remote) : (remote, local)
        let (low, high) = (UInt64(min(controlling, controlled)), UInt64(max(controlling, controlled)))
        return low << 32 + 2 * high + (controlling > controlled ? 1 : 0)
    }

    /// Whether packets between the two can exist: the same family, both in the same scope.
    static func isPossible(_ local: IPAddress, _ remote: IPAddress) -> Bool {
        local.family == remote.family && local.isLoopback == remote.isLoopback
            && (!local.isVersion6 || local.isLinkLocal == remote.isLinkLocal)
    }
}
