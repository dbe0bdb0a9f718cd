/// Our candidates that signalling sends one by one, after a description that was not complete (RFC 8838).
struct CandidateTrickle {
    struct News: Equatable, Sendable {
        /// The new candidates, in the syntax of RFC 8839 §5.1.
        let candidates: [String]
        /// Whether these are the last.
        let isLast: Bool
    }

    /// Limit of candidates in one session, with those in the description.
    private static let limit = 64

    /// Nil: this session does not trickle.
    private var told: Set<String>?
    private var found: [String] = []
    private var isEnd = false

    /// Signalling sends a description with these candidates. Candidates found from now on follow it.
    mutating func begin(after described: [String]) {
        self = CandidateTrickle()
        told = Set(described)
    }

    /// Signalling sends another description instead, which will be complete.
    mutating func stop() { self = CandidateTrickle() }

    /// A session that gathers again finds candidates that were already sent; they are ignored.
    mutating func find(_ candidate: String) {
        guard let count = told?.count, count < Self.limit, told?.insert(candidate).inserted == true else { return }
        found.append(candidate)
    }

    mutating func end() { isEnd = told != nil }

    /// The news to send now. After the end there is no more.
    mutating func take() -> News? {
        guard !found.isEmpty || isEnd else { return nil }
        defer { if isEnd { stop() } else { found = [] } }
        return News(candidates: found, isLast: isEnd)
    }
}
