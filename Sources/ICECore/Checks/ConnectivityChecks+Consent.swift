import Base

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
