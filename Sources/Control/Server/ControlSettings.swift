/// Where the control socket is, who may use it, and its limits.
public struct ControlSettings: Equatable, Sendable {
    /// The socket's path: at most 107 bytes, in a folder that exists.
    public var path: String
    /// Members of this group may control the phone too. Nil: only this program's own user, and root.
    public var group: UInt32?
    /// The user whose programs may connect, beside root. Nil: the user this program runs as.
    public var user: UInt32?
    /// Whether root may connect.
    public var allowsRoot = true

    public var maximumConnections = 16
    /// Longest request in bytes.
    public var maximumLineLength = 65_536
    /// Requests of one connection that are not answered yet.
    public var maximumRequestsInFlight = 32
    /// Bytes that wait for one connection to read them. A reader that falls further behind is dropped: it can connect
    /// again and ask for a snapshot, and it holds up no other program.
    public var maximumQueuedBytes = 262_144
    /// The same interface over HTTP; nil: not at all.
    public var http: HTTPSettings?

    public init(path: String, group: UInt32? = nil) {
        self.path = path
        self.group = group
    }
}
