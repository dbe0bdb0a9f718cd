import Base
import PhoneCore

/// One signalling message of a line, without secrets, as stored for clients.
public struct ControlSignal: Equatable, Sendable {
    public enum Direction: String, CaseIterable, Sendable { case sent, received }

    public var at: Instant
    public var account: AccountID
    public var direction: Direction
    /// `udp`, `tcp`, …
    public var transport: String
    /// Numeric addresses, without brackets.
    public var localHost: String
    public var localPort: UInt16
    public var remoteHost: String
    public var remotePort: UInt16
    public var message: [UInt8]

    public init(
        at instant: Instant, account: AccountID, direction: Direction, transport: String,
        local: (host: String, port: UInt16), remote: (host: String, port: UInt16), message: [UInt8]
    ) {
        at = instant
        self.account = account
        self.direction = direction
        self.transport = transport
        (localHost, localPort) = local
        (remoteHost, remotePort) = remote
        self.message = message
    }
}
