import Base

/// The network path, debounced: a change is believed only after it has lasted for a while.
struct NetworkWatch: Equatable, Codable, Sendable {
    struct Change: Equatable {
        let from: NetworkPath
        let to: NetworkPath
        /// When the old path was lost.
        let since: Instant
    }

    /// Nil: no path has been reported yet, and one is assumed to exist.
    private(set) var believed: NetworkPath?
    private var seen: NetworkPath?
    private(set) var changedAt: Instant?

    var isChanging: Bool { changedAt != nil }
    var isUp: Bool { believed?.isUp ?? true }
    var kind: NetworkPath.Kind { believed?.kind ?? .other }

    /// - Returns: A change that needs no waiting, which is only the first report.
    mutating func see(_ path: NetworkPath, at now: Instant) -> Change? {
        guard let believed else {
            self.believed = path
            return Change(from: path, to: path, since: now)
        }
        if path == believed {
            (seen, changedAt) = (nil, nil)
        } else {
            seen = path
            changedAt = changedAt ?? now
        }
        return nil
    }

    /// Believes the path that was seen, because it has lasted long enough.
    mutating func believe() -> Change? {
        guard let seen, let believed, let changedAt else { return nil }
        self.believed = seen
        (self.seen, self.changedAt) = (nil, nil)
        return Change(from: believed, to: seen, since: changedAt)
    }
}
