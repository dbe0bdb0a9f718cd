/// The path of the control socket, its permissions and its limits.
public struct ControlSettings: Equatable, Sendable {
    /// The socket's path: at most 107 bytes, in a folder that exists.
    public var path: String
    /// Members of this group may also control the phone. Nil: only this program's own user, and root.
    public var group: UInt32?
    /// The user whose programs may connect, besides root. Nil: this program's user.
    public var user: UInt32?
    /// Whether root may connect.
    public var allowsRoot = true

    public var maximumConnections = 16
    /// The longest request, in bytes.
    public var maximumLineLength = 65_536
    /// The most unanswered requests of one connection.
    public var maximumRequestsInFlight = 32
    /// The most bytes that wait for one connection. A reader that falls further behind is dropped. It can connect again
    /// and request a snapshot, and does not hold up other programs.
    public var maximumQueuedBytes = 262_144
    /// The same interface over HTTP; nil: disabled.
    public var http: HTTPSettings?

    public init(path: String, group: UInt32? = nil) {
        self.path = path
        self.group = group
    }
}
