import JSON

/// The two parts to which programs connect.
public enum ControlPart: CaseIterable, Sendable {
    case socket, http
}

/// Reports of the control interface for the log.
public enum ControlReport: Equatable, Sendable {
    /// A program of this user was rejected. Nil: the kernel did not report the user.
    case peerRefused(user: UInt32?)
    case tooManyConnections
    case slowReaderDropped
    case overlongLineDropped
    /// An HTTP request was rejected. In a flood, only the first are reported.
    case requestRefused(String, from: String)
    /// An address sent several wrong tokens and must now wait. Reported once.
    case guesserSlowed(String)
    /// A part could not be opened, and will be retried. Reported once for each reason.
    case notOpen(ControlPart, ControlError)
    /// A part that could not be opened before is open now.
    case opened(ControlPart)
    /// The socket accepts no connections, or no more. Open connections continue.
    case listenerFailed(String)
}

/// Counters of the control interface since its creation.
public struct ControlStatistics: Equatable, Sendable {
    public internal(set) var connections = 0
    public internal(set) var accepted = 0
    public internal(set) var peersRefused = 0
    public internal(set) var connectionsRefused = 0
    public internal(set) var slowReadersDropped = 0
    public internal(set) var overlongLines = 0
    /// Lines that were no valid request.
    public internal(set) var malformedLines = 0
    public internal(set) var requests = 0
    /// Requests without an answer yet.
    public internal(set) var requestsInFlight = 0
    public internal(set) var events = 0
    /// Signalling messages of the lines.
    public internal(set) var signals = 0
    public internal(set) var http = HTTPStatistics()

    init() {}

    var json: JSONValue {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        return .object([
            "connections": count(connections), "accepted": count(accepted), "peersRefused": count(peersRefused),
            "connectionsRefused": count(connectionsRefused), "slowReadersDropped": count(slowReadersDropped),
            "overlongLines": count(overlongLines), "malformedLines": count(malformedLines),
            "requests": count(requests), "requestsInFlight": count(requestsInFlight), "events": count(events),
            "signals": count(signals), "http": http.json,
        ])
    }
}
