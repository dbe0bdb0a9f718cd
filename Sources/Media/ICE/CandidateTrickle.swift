/// Candidates of ours that the far end is told one by one, after a description that was not complete (RFC 8838).
struct CandidateTrickle {
    struct News: Equatable, Sendable {
        /// The new candidates, in the words of RFC 8839 §5.1.
        let candidates: [String]
        /// Whether there will be no others.
        let isLast: Bool
    }

    /// What a far end is told of one session, description and all.
    private static let limit = 64

    /// Nil: nobody is told.
    private var told: Set<String>?
    private var found: [String] = []
    private var isEnd = false

    /// A description with these candidates is told. What is found from now on follows it.
    mutating func begin(after described: [String]) {
        self = CandidateTrickle()
        told = Set(described)
    }

    /// Another description takes the place of that one, and will be complete.
    mutating func stop() { self = CandidateTrickle() }

    /// Another session of the same description's finds them again, and they are no news.
    mutating func find(_ candidate: String) {
        guard let count = told?.count, count < Self.limit, told?.insert(candidate).inserted == true else { return }
        found.append(candidate)
    }

    mutating func end() { isEnd = told != nil }

    /// What is to be told now. After the end there is no more.
    mutating func take() -> News? {
        guard !found.isEmpty || isEnd else { return nil }
        defer { if isEnd { stop() } else { found = [] } }
        return News(candidates: found, isLast: isEnd)
    }
}
