import Base

/// Whether the server is still there.
struct VertoLiveness: Sendable {
    /// The last frame, and the last one that showed that ours arrive.
    private var heardAt = Instant.zero
    private var confirmedAt = Instant.zero
    /// Until when a probe waits. Nil: none is out.
    private var probeEnds: Instant?

    mutating func start(at now: Instant) { (heardAt, confirmedAt, probeEnds) = (now, now, nil) }

    /// Anything that the server says after a probe answers it: whether it answers pings as such is not certain.
    mutating func heard(at now: Instant) {
        if probeEnds != nil { confirmedAt = now }
        (heardAt, probeEnds) = (now, nil)
    }

    mutating func confirmed(at now: Instant) { confirmedAt = now }

    mutating func probe(at now: Instant) { probeEnds = now + VertoTiming.probeLimit }

    var isProbing: Bool { probeEnds != nil }

    /// Whether the server has said nothing at all after `instant`.
    func isSilent(since instant: Instant) -> Bool { heardAt <= instant }

    /// When the next probe goes out, or the one that is out is over.
    func deadline(hasCalls: Bool) -> Instant {
        if let probeEnds { return probeEnds }
        guard hasCalls else { return heardAt + VertoTiming.idleSilence }
        return min(heardAt + VertoTiming.callSilence, confirmedAt + VertoTiming.confirmation)
    }
}
