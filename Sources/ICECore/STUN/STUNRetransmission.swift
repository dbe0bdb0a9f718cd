import Base

/// The times at which a request is repeated and given up (RFC 8489 §6.2.1, §6.2.2). They start with the first sending.
struct STUNRetransmission: Equatable, Sendable {
    enum Step: Equatable, Sendable { case wait, send, timedOut }

    /// Ti: how long an answer may take over a stream, on which nothing is lost.
    private static let reliableTimeout: Duration = .milliseconds(39_500)

    private(set) var deadline: Instant
    private let timeout: Duration
    private let steady: Int
    private let limit: Int
    private let lastWait: Int
    private var sent = 1

    /// - Parameters:
    ///   - timeout: RTO, the time until the first repetition. It doubles with each further one.
    ///   - steady: How many repetitions come at that interval before it doubles.
    ///   - limit: Rc, how many times the request is sent.
    ///   - lastWait: Rm, how many RTO to wait for an answer to the last one.
    init(at now: Instant, timeout: Duration = .milliseconds(500), steady: Int = 1, limit: Int = 7, lastWait: Int = 16) {
        (self.timeout, self.steady, self.limit, self.lastWait) = (timeout, steady, limit, lastWait)
        deadline = now + timeout * (limit == 1 ? lastWait : 1)
    }

    static func reliable(at now: Instant) -> Self { Self(at: now, timeout: reliableTimeout, limit: 1, lastWait: 1) }

    /// The times of a gathering request. A call waits for it, so a silent server is given up after 5.5 s, not 39.5 s.
    static func gathering(at now: Instant) -> Self { Self(at: now, limit: 4, lastWait: 4) }

    /// The times of a connectivity check: a few lost ones must not decide which pair is selected. The first eight
    /// repetitions come one RTO apart. All checks together keep their pace, because RTO grows with their number
    /// (RFC 8445 §14.3). A check is given up after 79 RTO, like other requests.
    static func check(at now: Instant, timeout: Duration) -> Self {
        Self(at: now, timeout: timeout, steady: 8, limit: 14, lastWait: 9)
    }

    mutating func advance(to now: Instant) -> Step {
        guard deadline <= now else { return .wait }
        guard sent < limit else { return .timedOut }
        sent += 1
        deadline = now + timeout * (sent == limit ? lastWait : 1 << max(0, sent - steady))
        return .send
    }
}
