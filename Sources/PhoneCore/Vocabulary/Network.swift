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
