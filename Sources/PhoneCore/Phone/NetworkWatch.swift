import Base

/// The path to the world, believed only when it has been so for a while.
struct NetworkWatch: Equatable, Codable, Sendable {
    struct Change: Equatable {
        let from: NetworkPath
        let to: NetworkPath
        /// When the old path was gone.
        let since: Instant
    }

    /// Nil: nobody has said anything; a path is taken for granted.
    private(set) var believed: NetworkPath?
    private var seen: NetworkPath?
    private(set) var changedAt: Instant?

    var isChanging: Bool { changedAt != nil }
    var isUp: Bool { believed?.isUp ?? true }
    var kind: NetworkPath.Kind { believed?.kind ?? .other }

    /// - Returns: a change that needs no waiting: the first thing that anybody says.
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

    /// What was seen has lasted long enough.
    mutating func believe() -> Change? {
        guard let seen, let believed, let changedAt else { return nil }
        self.believed = seen
        (self.seen, self.changedAt) = (nil, nil)
        return Change(from: believed, to: seen, since: changedAt)
    }
}
