import Base

/// Calls that are over, for as long as their other source may still tell of them.
///
/// An incoming call may be told of twice: offered by a line, and by caller info. Whichever comes when the call is over
/// already must announce nothing. Lines forget by themselves; this remembers for ten seconds, and at most so many.
struct RecentCalls: Equatable, Codable, Sendable {
    enum Source: Equatable, Codable, Sendable { case offer, info }

    struct Past: Equatable, Codable, Sendable {
        let ids: [String]
        let key: NumberKey?
        let reason: EndReason
        let over: Instant
        var sources: [Source]
        /// It has its entry in the history. What ended elsewhere before it was told of has none yet.
        var isRecorded: Bool
    }

    static let capacity = 32

    private(set) var pasts: [Past] = []

    mutating func add(_ past: Past) {
        if pasts.count == Self.capacity { pasts.removeFirst() }
        pasts.append(past)
    }

    mutating func forget(before instant: Instant) { pasts.removeAll { $0.over < instant } }

    /// Whether a call that is over may be meant. Ids on both sides, and none in common: another call.
    func knows(ids: [String], key: NumberKey?) -> Bool {
        pasts.contains { past in
            past.ids.contains(where: ids.contains)
                || (key != nil && past.key == key && (past.ids.isEmpty || ids.isEmpty))
        }
    }

    /// The past call that a source tells of now; it is not found a second time by a number alone.
    mutating func take(_ source: Source, ids: [String], key: NumberKey?) -> Past? {
        // Told again it is still over; offered again it is another attempt, which a person may want to hear.
        let named = pasts.firstIndex { past in
            past.ids.contains(where: ids.contains) && (source == .info || !past.sources.contains(.offer))
        }
        let numbered = pasts.firstIndex { past in
            // Ids on both sides, and none in common: another call from the same number.
            key != nil && past.key == key && !past.sources.contains(source) && (past.ids.isEmpty || ids.isEmpty)
        }
        guard let index = named ?? numbered else { return nil }
        defer {
            pasts[index].sources.append(source)
            pasts[index].isRecorded = true
        }
        return pasts[index]
    }
}
