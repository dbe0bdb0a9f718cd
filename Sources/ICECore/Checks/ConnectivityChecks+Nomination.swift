import Base

/// The choice of the pair that media use (RFC 8445 §8).
///
/// We nominate once, after a short wait for something better than the first pair that works. The far end may nominate
/// as often as it likes. Of several pairs, the one with the highest priority counts (RFC 5245 §8.1.1.2); if that is
/// silent, any other.
extension ConnectivityChecks {
    /// Until when the controlling side waits; nil if there is nothing to wait for.
    var nominationAt: Instant? {
        guard role == .controlling, selected == nil, nominating == nil, let firstValidAt, let best else { return nil }
        guard !isFinal(best) else { return firstValidAt }
        return firstValidAt + (best.isRelayed ? ICETiming.relayedPatience : ICETiming.directPatience)
    }

    /// Whether nothing better can come.
    private func isFinal(_ best: CandidatePair) -> Bool {
        let hasRival = pairs.contains { $0.priority > best.priority && $0.state != .failed && $0.state != .succeeded }
        guard !hasRival else { return false }
        let isBetweenHosts = best.local.candidate.kind == .host && best.remote.kind == .host
        return isBetweenHosts || (isLocalComplete && isRemoteComplete)
    }

    mutating func considerNomination(at now: Instant) {
        guard let nominationAt, nominationAt <= now, let best else { return }
        nominating = best.id
        triggered.removeAll { $0 == best.id }
        triggered.insert(best.id, at: 0)
    }

    /// The pair is nominated and works.
    mutating func nominate(_ index: Int, at now: Instant) {
        pairs[index].isNominated = true
        pairs[index].isToBeNominated = false
        if let selected, let current = self.index(of: selected), selected != pairs[index].id {
            let isSilent = pairs[current].consentedAt.map { $0 + ICETiming.consentDoubt < now } ?? true
            guard pairs[index].priority > pairs[current].priority || isSilent else { return }
        }
        selected = pairs[index].id
        // RFC 8445 §8.1.2: nothing else is checked any more, unless the far end asks for it.
        triggered.removeAll { $0 != selected }
        for transaction in transactions.indices where transactions[transaction].pair != selected {
            transactions[transaction].isCancelled = true
        }
    }

    /// Marks the other valid pairs as failed. The far end has released their candidates by now, so they cannot replace
    /// the selected pair. A check from the far end makes us check them again.
    mutating func forgetAlternatives() {
        for index in pairs.indices where pairs[index].state == .succeeded && pairs[index].id != selected {
            pairs[index].state = .failed
        }
    }
}

/// Whether the far end still wants our packets (RFC 7675). Only an answer with valid integrity confirms it. Without one
/// for 30 s, nothing more is sent.
extension ConnectivityChecks {
    var consentExpiry: Instant? { path?.consentedAt.map { $0 + ICETiming.consentExpiry } }

    var doubtAt: Instant? { isPathDoubtful ? nil : path?.consentedAt.map { $0 + ICETiming.doubt } }

    mutating func keepConsent(at now: Instant) {
        isPathDoubtful = path?.consentedAt.map { $0 + ICETiming.doubt <= now } ?? false
        guard let path else {
            consentAt = nil
            return
        }
        if let consentExpiry, consentExpiry <= now { return loseConsent(at: now) }
        guard let consentAt else {
            self.consentAt = now + nextInterval()
            return
        }
        guard consentAt <= now else { return }
        self.consentAt = now + nextInterval()
        // Not repeated: the next request comes soon enough (RFC 7675 §5.1). This one may be answered until then.
        ask(path, .consent, STUNRetransmission(at: now, timeout: ICETiming.consentInterval, limit: 1, lastWait: 1))
    }

    private mutating func nextInterval() -> Duration {
        ICETiming.consentInterval * Int64.random(in: ICETiming.consentJitter, using: &generator) / 1_000
    }

    /// Valid pairs that were not confirmed for as long lose consent, too.
    private mutating func loseConsent(at now: Instant) {
        for index in pairs.indices where pairs[index].state == .succeeded {
            let isFresh = pairs[index].consentedAt.map { $0 + ICETiming.consentExpiry > now } ?? false
            if !isFresh { pairs[index].state = .failed }
        }
        selected = pairs.filter { $0.state == .succeeded && $0.isNominated }.max { $0.priority < $1.priority }?.id
        consentAt = nil
        guard path == nil else { return keepConsent(at: now) }
        losePath()
    }
}
