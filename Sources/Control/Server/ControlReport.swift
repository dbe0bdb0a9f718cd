/// What the control interface tells the log.
public enum ControlReport: Equatable, Sendable {
    /// A program of this user was turned away. Nil: the kernel did not say whose it was.
    case peerRefused(user: UInt32?)
    case tooManyConnections
    case slowReaderDropped
    case overlongLineDropped
    /// The socket takes no (more) connections. Those that stand go on.
    case listenerFailed(String)
}

/// What the control interface has done since it was made.
public struct ControlStatistics: Equatable, Sendable {
    public internal(set) var connections = 0
    public internal(set) var accepted = 0
    public internal(set) var peersRefused = 0
    public internal(set) var connectionsRefused = 0
    public internal(set) var slowReadersDropped = 0
    public internal(set) var overlongLines = 0
    /// Lines that were no request.
    public internal(set) var malformedLines = 0
    public internal(set) var requests = 0
    /// Requests that are not answered yet.
    public internal(set) var requestsInFlight = 0
    public internal(set) var events = 0
    /// Messages of lines.
    public internal(set) var signals = 0

    init() {}

    var json: JSONValue {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        return .object([
            "connections": count(connections), "accepted": count(accepted), "peersRefused": count(peersRefused),
            "connectionsRefused": count(connectionsRefused), "slowReadersDropped": count(slowReadersDropped),
            "overlongLines": count(overlongLines), "malformedLines": count(malformedLines),
            "requests": count(requests), "requestsInFlight": count(requestsInFlight), "events": count(events),
            "signals": count(signals),
        ])
    }
}
