import LineCore

/// One line and where it listens.
public struct LineSettings: Equatable, Sendable {
    public var configuration: LineConfiguration
    /// A numeric address of this machine, or `0.0.0.0` or `::` for all of them.
    public var bindAddress: String
    /// The same port for UDP and TCP; 0 takes one that is free.
    public var port: UInt16

    public init(configuration: LineConfiguration, bindAddress: String = "0.0.0.0", port: UInt16 = 5060) {
        self.configuration = configuration
        self.bindAddress = bindAddress
        self.port = port
    }
}

/// What came to a line's sockets and led to nothing.
public struct LineCounters: Equatable, Sendable {
    /// Datagrams and streams that are nothing like SIP.
    public internal(set) var garbage = 0
    /// Messages beyond what their source may send, unread.
    public internal(set) var limited = 0
    /// Messages that do not parse.
    public internal(set) var malformed = 0
    /// Responses that belong to no request of ours.
    public internal(set) var unmatched = 0
    /// Messages beyond what the line holds at once, and connections beyond `Streams.limit`.
    public internal(set) var refused = 0

    public init() {}
}
