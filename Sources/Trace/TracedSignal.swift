/// One message that a line sent or received, without secrets, as `offhook trace` shows it.
public struct TracedSignal: Equatable, Sendable {
    /// One end of the message's path.
    public struct End: Hashable, Sendable {
        /// A numeric address, without brackets.
        public let host: String
        public let port: UInt16

        public init(_ host: String, _ port: UInt16) { (self.host, self.port) = (host, port) }

        public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// Microseconds since 1970 in UTC.
    public var time: Int64
    /// True when the message was sent, false when it was received.
    public var isSent: Bool
    /// `udp`, `tcp`, `tls`, `ws` or `wss`.
    public var transport: String
    public var local: End
    public var remote: End
    /// The name that the user gave to the line.
    public var account: String
    public var message: [UInt8]

    public init(
        time: Int64, isSent: Bool, transport: String, local: End, remote: End, account: String, message: [UInt8]
    ) {
        self.time = time
        self.isSent = isSent
        self.transport = transport
        self.local = local
        self.remote = remote
        self.account = account
        self.message = message
    }
}
