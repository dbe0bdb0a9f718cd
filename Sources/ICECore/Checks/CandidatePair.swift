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

/// The forming of pairs, and the order of their checks (RFC 8445 §6.1.2, RFC 8838 §11, §12).
extension ConnectivityChecks {
    mutating func add(_ candidate: LocalCandidate) {
        guard locals.count < ICETiming.localLimit else { return }
        locals.append(candidate)
        guard candidate.isBase else { return }
        for remote in remotes { form(candidate, remote) }
    }

    /// - Returns: Whether the candidate is new and of use.
    @discardableResult
    mutating func add(_ candidate: Candidate) -> Bool {
        guard candidate.address.port > 0, candidate.address.address.isOneHost else {
            census.unusableCandidates += 1
            return false
        }
        if let known = remotes.firstIndex(where: { $0.address == candidate.address }) {
            // The far end now signals a candidate that we first learned from its check (RFC 8838 §11).
            guard remotes[known].kind == .peerReflexive, candidate.kind != .peerReflexive else { return false }
            remotes[known] = candidate
            for index in pairs.indices where pairs[index].remote.address == candidate.address {
                pairs[index].remote = candidate
                setPriority(index)
            }
            return false
        }
        guard remotes.count < ICETiming.remoteLimit else {
            census.unusableCandidates += 1
            return false
        }
        remotes.append(candidate)
        // A candidate that we learned from a check works only with the base that received the check (RFC 8445
        // §7.3.1.3).
        guard candidate.kind != .peerReflexive else { return true }
        for local in locals where local.isBase { form(local, candidate) }
        return true
    }

    /// Removes a base that is gone, with all its pairs.
    mutating func remove(_ base: ICEBase) {
        let wasNominated = selected != nil
        locals.removeAll { $0.base == base }
        for pair in pairs where pair.local.base == base { remove(pair.id) }
        if wasNominated, path == nil { losePath() }
    }

    /// Sends nothing more and starts nothing new, until there are new credentials (RFC 7675 §5.1).
    mutating func losePath() {
        hasLostPath = true
        (triggered, transactions, nominating, consentAt) = ([], [], nil, nil)
    }

    private mutating func remove(_ pair: Int) {
        pairs.removeAll { $0.id == pair }
        triggered.removeAll { $0 == pair }
        transactions.removeAll { $0.pair == pair }
        if nominating == pair { nominating = nil }
        if selected == pair { selected = nil }
    }

    /// - Returns: The index of the pair. Nil if it is impossible, or if there are too many pairs of higher priority.
    @discardableResult
    mutating func form(_ local: LocalCandidate, _ remote: Candidate) -> Int? {
        guard CandidatePair.isPossible(local.candidate.address.address, remote.address.address) else { return nil }
        if let known = pairs.firstIndex(where: { $0.local.base == local.base && $0.remote.address == remote.address }) {
            return known
        }
        var pair = CandidatePair(id: nextPair, local: local, remote: remote)
        pair.priority = CandidatePair.priority(
            local.candidate.priority, remote.priority, isControlling: role == .controlling)
        if pairs.count >= ICETiming.pairLimit {
            census.discardedPairs += 1
            let idle = pairs.filter { $0.state != .succeeded && $0.state != .inProgress }
            guard let last = idle.min(by: { $0.priority < $1.priority }), last.priority < pair.priority else {
                return nil
            }
            remove(last.id)
        }
        nextPair += 1
        let alike = pairs.filter { $0.foundation == pair.foundation }
        // RFC 8838 §12: a pair whose foundation has worked is likely to work. Else one pair of each foundation is
        // checked first.
        if alike.contains(where: { $0.state == .succeeded }) || !alike.contains(where: \.isPending) {
            pair.state = .waiting
        }
        pairs.append(pair)
        return pairs.count - 1
    }

    mutating func setPriority(_ index: Int) {
        pairs[index].priority = CandidatePair.priority(
            pairs[index].local.candidate.priority, pairs[index].remote.priority, isControlling: role == .controlling)
    }

    // MARK: The next to be checked

    /// RFC 8445 §6.1.4.2: the waiting pair of the highest priority. Without one, a frozen pair whose foundation is not
    /// being checked.
    var nextOrdinary: Int? {
        let waiting = pairs.indices.filter { pairs[$0].state == .waiting }
        if let first = waiting.max(by: { pairs[$0].priority < pairs[$1].priority }) { return first }
        let frozen = pairs.indices.filter { index in
            pairs[index].state == .frozen
                && !pairs.contains { $0.state == .inProgress && $0.foundation == pairs[index].foundation }
        }
        return frozen.max { pairs[$0].priority < pairs[$1].priority }
    }

    mutating func unfreeze(_ foundation: CandidatePair.Foundation) {
        for index in pairs.indices where pairs[index].state == .frozen && pairs[index].foundation == foundation {
            pairs[index].state = .waiting
        }
    }
}

extension CandidatePair {
    /// Whether the pair is being checked, or will be soon.
    fileprivate var isPending: Bool { state == .waiting || state == .inProgress }
}
