import Base

/// Finds out whether the server is still there.
struct VertoLiveness: Sendable {
    /// When the last frame arrived, and the last one that showed that our frames arrive.
    private var heardAt = Instant.zero
    private var confirmedAt = Instant.zero
    /// When a probe times out. Nil: no probe is outstanding.
    private var probeEnds: Instant?

    mutating func start(at now: Instant) { (heardAt, confirmedAt, probeEnds) = (now, now, nil) }

    /// Records a frame from the server. Any frame after a probe counts as its answer, because a server may not answer
    /// pings.
    mutating func heard(at now: Instant) {
        if probeEnds != nil { confirmedAt = now }
        (heardAt, probeEnds) = (now, nil)
    }

    mutating func confirmed(at now: Instant) { confirmedAt = now }

    mutating func probe(at now: Instant) { probeEnds = now + VertoTiming.probeLimit }

    var isProbing: Bool { probeEnds != nil }

    /// Whether the server has sent nothing after `instant`.
    func isSilent(since instant: Instant) -> Bool { heardAt <= instant }

    /// When the next probe is due, or the outstanding one times out.
    func deadline(hasCalls: Bool) -> Instant {
        if let probeEnds { return probeEnds }
        guard hasCalls else { return heardAt + VertoTiming.idleSilence }
        return min(heardAt + VertoTiming.callSilence, confirmedAt + VertoTiming.confirmation)
    }
}
