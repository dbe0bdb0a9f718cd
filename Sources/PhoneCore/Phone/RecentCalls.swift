import Base

/// Ended incoming calls, remembered while their other source may still report them.
///
/// An incoming call may be reported twice: offered by a line, and by caller info. A report that comes after the call
/// has ended must not announce it again. Lines forget ended calls by themselves. This type remembers a call for ten
/// seconds, and at most `capacity` calls.
struct RecentCalls: Equatable, Codable, Sendable {
    enum Source: Equatable, Codable, Sendable { case offer, info }

    struct Past: Equatable, Codable, Sendable {
        let ids: [String]
        let key: NumberKey?
        let reason: EndReason
        let over: Instant
        var sources: [Source]
        /// Whether the history has an entry for it. A call that ended elsewhere before it was reported here has none
        /// yet.
        var isRecorded: Bool
    }

    static let capacity = 32

    private(set) var pasts: [Past] = []

    mutating func add(_ past: Past) {
        if pasts.count == Self.capacity { pasts.removeFirst() }
        pasts.append(past)
    }

    mutating func forget(before instant: Instant) { pasts.removeAll { $0.over < instant } }

    /// Whether an ended call matches. If both sides have ids and none in common, it is another call.
    func knows(ids: [String], key: NumberKey?) -> Bool {
        pasts.contains { past in
            past.ids.contains(where: ids.contains)
                || (key != nil && past.key == key && (past.ids.isEmpty || ids.isEmpty))
        }
    }

    /// The past call that a source reports now. Each source finds it only once by the number alone.
    mutating func take(_ source: Source, ids: [String], key: NumberKey?) -> Past? {
        // If caller info reports it again, the call is still over. If a line offers it again, that is another attempt,
        // which a person may want to hear.
        let named = pasts.firstIndex { past in
            past.ids.contains(where: ids.contains) && (source == .info || !past.sources.contains(.offer))
        }
        let numbered = pasts.firstIndex { past in
            // If both sides have ids and none in common, it is another call from the same number.
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
