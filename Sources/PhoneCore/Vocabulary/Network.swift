import Base

/// The machine's path to the network, as the kernel reports it. It is not debounced.
public struct NetworkPath: Equatable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Codable, Sendable { case wired, wifi, cellular, other, none }

    public var kind: Kind
    /// The machine's own addresses on the path, in a fixed order. Empty exactly when there is no path.
    public var addresses: [String]

    public init(_ kind: Kind, addresses: [String]) {
        self.kind = kind
        self.addresses = addresses
    }

    public static let none = NetworkPath(.none, addresses: [])

    public var isUp: Bool { kind != .none }
}

public enum NetworkStatus: String, CaseIterable, Codable, Sendable {
    case connected, disconnected
    /// The path has just changed, or calls are still reconnecting.
    case reconnecting
}

public enum NetworkEvent: Equatable, Codable, Sendable {
    case path(NetworkPath)
}

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
